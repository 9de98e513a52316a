package cli

import (
	"slices"
	"strings"
	"testing"

	"psync/internal/cli/argv"
	"psync/internal/cli/flags"
	"psync/internal/quote"
)

func TestVerbThatIsAName(t *testing.T) {
	root := new(app).rootCommand()
	for _, c := range []struct {
		args, exist string
		source      string // how to copy the entry; "": the verb is meant
		verb        string // how to use the verb
	}{
		{"man dst", "man", "./man dst", "man -- dst"},
		{"man dst", "man dst", "./man dst", "man -- dst"},
		{"sync a b", "sync", "./sync a b", "sync -- a b"},
		{"sync -n a -v b", "sync", "./sync -n a -v b", "sync -n -v -- a b"},
		{"-j 8 sync a b", "sync", "-j 8 ./sync a b", "-j 8 sync -- a b"},
		{"copy -j 8 --exclude x a b", "copy", "./copy -j 8 --exclude x a b", "copy -j 8 --exclude x -- a b"},
		{"copy dst", "copy", "./copy dst", "copy -- dst"},
		{"compare a b", "compare", "./compare a b", "compare -- a b"},
		{"check a b", "check", "./check a b", "check -- a b"},
		{"verify a b", "verify", "./verify a b", "verify -- a b"},
		{"delete -n build", "delete", "./delete -n build", "delete -n -- build"},
		{"version dst", "version", "./version dst", "version -- dst"},
		{"selftest dst", "selftest", "./selftest dst", "selftest -- dst"},
		{"cluster dst", "cluster", "./cluster dst", "cluster -- dst"},
		{"help dst", "help dst", "./help dst", "help -- dst"},
		{"completion dst", "completion dst", "./completion dst", "completion -- dst"},

		// No entry has that name, or the command line says which is meant.
		{"man dst", "dst", "", ""},
		{"sync -- a b", "sync a b", "", ""},
		{"sync -a -- a b", "sync a b", "", ""},
		{"sync --exclude -- a b", "sync a b", "./sync --exclude -- a b", "sync --exclude -- -- a b"},
		{"-- sync b", "sync b", "", ""},
		{"./sync b", "sync b", "", ""},
		{"src man", "man src", "", ""},

		// The entry cannot be a source.
		{"man", "man", "", ""},
		{"version", "version", "", ""},
		{"sync -a", "sync", "", ""},
		{"delete -f build", "delete build", "", ""}, // -f build is a rule for a copy
		{"sync --mkpath a b", "sync a b", "", ""},   // a flag of this verb alone
		{"compare --help a", "compare a", "", ""},
		{"selftest --metadata dir", "selftest dir", "", ""},
		{"sync sync b", "sync b", "", ""},
		{"sync a sync", "sync a", "", ""},
		{"sync a ./sync/", "sync a", "", ""},
		{"completion bash", "completion bash", "", ""},
		{"help copy", "help copy", "", ""},
	} {
		l := argv.Line{
			IsVerb:     func(arg string) bool { return isVerb(root, arg) },
			TakesValue: func(arg string) bool { return flags.TakesValue(root.Flags(), arg) },
			Exists:     func(path string) bool { return slices.Contains(strings.Fields(c.exist), path) },
			Operands:   bareOperands,
		}
		var got argv.VerbNameError
		if err := l.Check(strings.Fields(c.args)); err != nil {
			got = *err
		}
		if source, verb := strings.Join(got.AsSource, " "), strings.Join(got.AsVerb, " "); source != c.source || verb != c.verb {
			t.Errorf("psync %s where there is %s\n got %q, %q\nwant %q, %q", c.args, c.exist, source, verb, c.source, c.verb)
		}
	}
}

func TestShellLine(t *testing.T) {
	for args, want := range map[string]string{
		"./man dst":                             "psync ./man dst",
		"a* b":                                  "psync 'a*' b",
		"sync -- 1 2 3 4 5 6 7 8 9 10 11 12 13": "psync sync -- 1 2 3 4 5 6 7 8 9 ... 13",
	} {
		if got := quote.CommandLine(strings.Fields(args)); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}
