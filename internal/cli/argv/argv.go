// Package argv rewrites and checks the arguments of psync before flags are parsed. It handles the flags of
// hweidner/psync, verbs that are also names of files, and -h.
package argv

import "slices"

// cp and rsync are the verbs that have their own command lines.
const (
	cp    = "cp"
	rsync = "rsync"
)

// A Line describes how to interpret the arguments of psync.
type Line struct {
	IsVerb     func(arg string) bool
	TakesValue func(arg string) bool // the next argument is the value of arg
	// TakesValueAfter is TakesValue for arguments after a verb.
	TakesValueAfter func(verb, arg string) bool
	Exists          func(path string) bool
	// Operands returns the operands of args without a verb, or false if flags among args are invalid.
	Operands func(args []string) ([]string, bool)
}

// Expand returns args with legacy flags replaced by the flags that they stand for.
func (l Line) Expand(args []string) []string { return l.expandLegacy(l.longHelp(args)) }

// longHelp returns args with --help instead of -help, and instead of -h where -h is the only argument of psync or of a
// verb. Anywhere else, as in "sync -avh a b", -h is rsync's --human-readable: a command line that copies must not turn
// into a command line that prints help and succeeds.
func (l Line) longHelp(args []string) []string {
	help := func(i int) bool { return len(args) > i && args[i] == "-help" }
	switch {
	case help(0), help(1) && l.IsVerb(args[0]) && args[0] != cp && args[0] != rsync:
		return append(slices.Clone(args[:slices.Index(args, "-help")]), "--help")
	case len(args) == 1 && args[0] == "-version":
		return []string{"--version"}
	case len(args) == 1 && args[0] == "-h":
		return []string{"--help"}
	case len(args) == 2 && args[1] == "-h" && l.IsVerb(args[0]) && args[0] != cp && args[0] != rsync:
		return []string{args[0], "--help"}
	}
	return args
}

func isFlag(arg string) bool { return len(arg) > 1 && arg[0] == '-' }
