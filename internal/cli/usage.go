package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"psync/internal/cli/argv"
	"psync/internal/cli/flags"
	"psync/internal/cli/foreign"
	"psync/internal/cli/misuse"
	"psync/internal/operand/location"
)

// refuseValueOfSwitch returns an error if DST, the last of args, does not exist, and may be meant as the value of a switch,
// which takes none, as in "sync s d --stats 5s". The directories named before would be copied into a new directory of
// that name. With one SRC, nothing else than DST can be meant.
func (a *app) refuseValueOfSwitch(fs *pflag.FlagSet, args []string) error {
	if len(args) < 3 {
		return nil
	}
	last := len(args) - 1
	dst := args[last]
	isSwitch := func(arg string) bool { return flags.IsSwitch(fs, arg) }
	takesValue := func(arg string) bool { return flags.TakesValue(fs, arg) }
	if ignores := fs.Lookup("ignore-missing-args"); ignores == nil || !ignores.Changed {
		before, src := argv.OperandBehindSwitch(a.line, isSwitch, takesValue, func(arg string) bool { return arg != args[0] && !mayExist(arg) })
		if before != "" && slices.Contains(args[:last], src) {
			return fmt.Errorf("%s takes no value, but %s follows it, which would become another SRC, and does not exist: leave %[2]s out", before, src)
		}
	}
	l, err := location.Parse(dst)
	if err != nil || !l.Account.IsHere() || strings.HasSuffix(dst, "/") || strings.HasPrefix(dst, "./") || exists(l.Path) {
		return nil
	}
	before := argv.SwitchBefore(a.line, isSwitch, takesValue)
	if before == "" || !slices.ContainsFunc(args[:last], mayExist) {
		return nil
	}
	return fmt.Errorf("%s takes no value, but %s follows it, which would become DST, and %s another SRC: leave %[2]s out; or, if it is DST, write %[2]s/ or put it before %[1]s",
		before, dst, args[last-1])
}

// mayExist reports whether an operand exists; one on another host is taken to.
func mayExist(arg string) bool {
	l, err := location.Parse(arg)
	return err == nil && (!l.Account.IsHere() || exists(l.Path))
}

// mistypedVerb returns the hint for a word that was taken for a source and is meant as a verb, or "".
func mistypedVerb(root *cobra.Command, args []string) string {
	if len(args) == 0 || exists(args[0]) {
		return ""
	}
	if instead := foreign.InsteadOfVerb(args[0]); instead != "" || len(args[0]) < 4 {
		return instead // a short word is near many
	}
	var verbs []string
	for _, c := range root.Commands() {
		if c.IsAvailableCommand() {
			verbs = append(verbs, c.Name())
		}
	}
	if near := misuse.Nearest(args[0], verbs); near != "" {
		return fmt.Sprintf("did you mean psync %s?", near)
	}
	return ""
}

// atMost accepts up to n operands.
func atMost(n int) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) > n {
			return fmt.Errorf("%s: one operand too many for %s", args[n], c.CommandPath())
		}
		return nil
	}
}
