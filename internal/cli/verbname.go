package cli

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"psync/internal/quote"
)

// A verbNameError says that the first word of a command line is a verb, and the name of
// something that could be meant as SRC.
type verbNameError struct {
	verb             string
	asSource, asVerb []string // the arguments that say which is meant
}

func (e *verbNameError) Error() string {
	return fmt.Sprintf("%s is a verb of psync, and something of that name exists here", e.verb)
}

func (e *verbNameError) hint() string {
	return fmt.Sprintf("to copy it, write %s; if the verb is meant, %s", shellLine(e.asSource), shellLine(e.asVerb))
}

// shellLine returns a command line of psync to be typed.
func shellLine(args []string) string {
	const most = 12 // arguments that a reader looks through
	line := []string{"psync"}
	for i, arg := range args {
		if left := len(args) - most; left > 1 && i >= most-1 && i < len(args)-1 {
			if i == most-1 {
				line = append(line, "...")
			}
			continue
		}
		line = append(line, quote.Maybe(arg, true))
	}
	return strings.Join(line, " ")
}

// A verbName finds out whether the verb of a command line may be meant as a name.
type verbName struct {
	isVerb     func(arg string) bool
	takesValue func(arg string) bool // the argument behind belongs to it
	exists     func(path string) bool
	// bareOperands returns the operands of args without a verb, or false if flags among
	// them do not fit.
	bareOperands func(args []string) ([]string, bool)
}

// check returns a *[verbNameError] if args begin with a verb that is the name of an existing
// entry, too, and would copy that entry if it were not a verb. "--" before the operands
// says that the verb is meant, so scripts can be sure of it in any directory.
func (v verbName) check(args []string) *verbNameError {
	at, first := v.find(args)
	if at < 0 || first < 0 || !v.exists(args[at]) {
		return nil
	}
	verb := args[at]
	operands, ok := v.bareOperands(args)
	if !ok || len(operands) < 2 || operands[0] != verb {
		return nil
	}
	rest := operands[1:]
	same := func(operand string) bool { return filepath.Clean(operand) == verb }
	switch {
	case slices.ContainsFunc(rest, same): // nobody copies a directory twice, or into itself
		return nil
	case v.isWord(verb, rest[0]):
		return nil
	}
	asSource := slices.Clone(args)
	asSource[at] = "./" + verb
	var flags []string
	for i := at + 1; i < len(args); i++ {
		if !isFlag(args[i]) {
			continue
		}
		flags = append(flags, args[i])
		if v.takesValue(args[i]) && i+1 < len(args) {
			i++
			flags = append(flags, args[i])
		}
	}
	asVerb := slices.Concat(args[:at+1], flags, []string{"--"}, rest)
	return &verbNameError{verb: verb, asSource: asSource, asVerb: asVerb}
}

// cpLooksLikeName returns a *[verbNameError] if the arguments of psync are "cp" and one operand,
// of which cp can make nothing, and something is called cp.
func cpLooksLikeName(args []string, exists func(path string) bool) *verbNameError {
	if len(args) != 2 || args[0] != cpVerb || isFlag(args[1]) || !exists(cpVerb) {
		return nil
	}
	return &verbNameError{verb: cpVerb, asSource: []string{"./" + cpVerb, args[1]}, asVerb: []string{cpVerb, "SOURCE", args[1]}}
}

// find returns where the verb and the first operand behind it stand, or -1 for what is
// not there. What stands behind "--" is neither.
func (v verbName) find(args []string) (verb, operand int) {
	verb = -1
	for i := 0; i < len(args); i++ {
		switch arg := args[i]; {
		case arg == "--":
			return verb, -1
		case isFlag(arg):
			if v.takesValue(arg) {
				i++
			}
		case verb >= 0:
			return verb, i
		case !v.isVerb(arg):
			return -1, -1
		default:
			verb = i
		}
	}
	return verb, -1
}

func isFlag(arg string) bool { return len(arg) > 1 && arg[0] == '-' }

// isWord reports whether arg is one of the words that a verb takes instead of paths.
func (v verbName) isWord(verb, arg string) bool {
	switch verb {
	case "help":
		return v.isVerb(arg)
	case "completion":
		return slices.Contains([]string{"bash", "fish", "powershell", "zsh"}, arg)
	}
	return false
}

// bareOperands is that of [verbName].
func bareOperands(args []string) ([]string, bool) {
	c := new(app).bareCommand()
	helpWithoutLetter(c)
	flags := c.Flags()
	none := func(string) bool { return false }
	err := flags.Parse(expandWords(args, none, func(arg string) bool { return takesValue(flags, arg) }))
	help, _ := flags.GetBool("help")
	return flags.Args(), err == nil && !help
}
