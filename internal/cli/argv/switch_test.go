package argv

import (
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"psync/internal/cli/flags"
)

func TestSwitchBefore(t *testing.T) {
	c := new(cobra.Command)
	flags.Define(c, flags.Sync)
	for args, want := range map[string]string{
		"sync s d --stats 5s":       "--stats",
		"sync s d -v 5s":            "-v",
		"sync s d -avS always":      "-avS",
		"sync s d --no-times 5s":    "--no-times",
		"sync s d --stats -v 5s":    "-v",
		"sync -v s d --stats 5s -n": "--stats",
		"--stats 5s":                "--stats",
		"sync s d --stats 5s --":    "--stats",

		"sync --stats s d":               "",
		"sync s --stats d new":           "",
		"sync s d --stats -- new":        "",
		"sync s d --stats=true new":      "",
		"sync s d -j 8 new":              "",
		"sync s d -j8 new":               "",
		"sync s d -vj8 new":              "",
		"sync s d -vj 8 new":             "",
		"sync s d --exclude --stats new": "",
		"sync s d --exclude=x new":       "",
		"sync s d --nonsense new":        "",
		"sync s d --stats -j 8 new":      "",
		"sync s d --stats":               "",
		"":                               "",
	} {
		is := func(arg string) bool { return flags.IsSwitch(c.Flags(), arg) }
		takes := func(arg string) bool { return flags.TakesValue(c.Flags(), arg) }
		if got := SwitchBefore(strings.Fields(args), is, takes); got != want {
			t.Errorf("%q: got %q, want %q", args, got, want)
		}
	}
}

func TestOperandBehindSwitch(t *testing.T) {
	isSwitch := func(arg string) bool { return arg == "-v" }
	takesValue := func(arg string) bool { return arg == "-j" }
	wrong := func(arg string) bool { return arg == "bad" }
	for _, tt := range []struct{ args, before, operand string }{
		{"s -v bad d", "-v", "bad"},
		{"s -v good d", "", ""},
		{"s -v bad", "", ""},
		{"s -j bad d", "", ""},
		{"s -v -j bad d", "", ""},
		{"s -x=y bad d", "", ""},
		{"s -v -- bad d", "", ""},
	} {
		before, operand := OperandBehindSwitch(strings.Fields(tt.args), isSwitch, takesValue, wrong)
		if before != tt.before || operand != tt.operand {
			t.Errorf("%s: %q, %q", tt.args, before, operand)
		}
	}
}
