package argv

import (
	"fmt"
	"path/filepath"
	"slices"
)

// A VerbNameError reports that the first word of a command line is both a verb and the name of an entry that
// could be meant as SRC.
type VerbNameError struct {
	Verb             string
	AsSource, AsVerb []string // the unambiguous arguments for each meaning
}

func (e *VerbNameError) Error() string {
	return fmt.Sprintf("%s is a verb of psync, and something of that name exists here", e.Verb)
}

// Check returns a *[VerbNameError] if args begin with a verb that is also the name of an existing entry, and
// args would copy that entry if the word were not a verb. "--" before the operands says that the verb is meant,
// so scripts can rely on the verb in any directory.
func (l Line) Check(args []string) *VerbNameError {
	words, _ := operandsOf(args, func(string) bool { return false }, l.TakesValue)
	if len(words) < 2 || !l.IsVerb(words[0].text) || !l.Exists(words[0].text) {
		return nil
	}
	verb, at := words[0].text, words[0].index
	operands, ok := l.Operands(args)
	if !ok || len(operands) < 2 || operands[0] != verb {
		return nil
	}
	rest := operands[1:]
	same := func(operand string) bool { return filepath.Clean(operand) == verb }
	switch {
	case slices.ContainsFunc(rest, same): // users do not copy a directory twice, or into itself
		return nil
	case l.isWord(verb, rest[0]):
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
		if l.TakesValue(args[i]) && i+1 < len(args) {
			i++
			flags = append(flags, args[i])
		}
	}
	asVerb := slices.Concat(args[:at+1], flags, []string{"--"}, rest)
	return &VerbNameError{Verb: verb, AsSource: asSource, AsVerb: asVerb}
}

// CheckOther returns a *[VerbNameError] if the arguments of psync are "cp" or "rsync", which have their own command lines,
// and a single operand, which is too few to copy with them, and an entry of that name exists.
func CheckOther(args []string, exists func(path string) bool) *VerbNameError {
	if len(args) != 2 || args[0] != cp && args[0] != rsync || isFlag(args[1]) || !exists(args[0]) {
		return nil
	}
	return &VerbNameError{Verb: args[0], AsSource: []string{"./" + args[0], args[1]}, AsVerb: []string{args[0], "SOURCE", args[1]}}
}

// isWord reports whether arg is one of the words that a verb takes instead of paths.
func (l Line) isWord(verb, arg string) bool {
	switch verb {
	case "help":
		return l.IsVerb(arg)
	case "completion":
		return slices.Contains([]string{"bash", "fish", "powershell", "zsh"}, arg)
	}
	return false
}
