// Package misuse says what is wrong with a command line, and what to type instead.
package misuse

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"psync/internal/cli/argv"
	"psync/internal/cli/flags"
	"psync/internal/cli/foreign"
	"psync/internal/localfs"
	"psync/internal/operand"
	"psync/internal/operand/location"
	"psync/internal/ui"
)

// Error returns an error about the arguments of c, which are among those of line, in psync's words: it names what was typed, and a remedy. The root
// command with all verbs is made if they are needed.
func Error(c *cobra.Command, line []string, err error, root func() *cobra.Command) error {
	if e, ok := errors.AsType[*pflag.NotExistError](err); ok {
		return unknownFlag(c, line, e, root())
	}
	if e, ok := errors.AsType[*pflag.ValueRequiredError](err); ok {
		value, _ := pflag.UnquoteUsage(e.GetFlag())
		return fmt.Errorf("--%s: the value is missing: write --%[1]s=%s", e.GetFlag().Name, value)
	}
	if e, ok := errors.AsType[*pflag.InvalidValueError](err); ok {
		reason := e.Unwrap().Error()
		if e.GetFlag().NoOptDefVal == "true" {
			reason = "it is switched by itself, or by =true and =false"
		}
		if strings.HasPrefix(reason, fmt.Sprintf("%q ", e.GetValue())) {
			return fmt.Errorf("--%s: %s", e.GetFlag().Name, reason)
		}
		return fmt.Errorf("--%s=%s: %s", e.GetFlag().Name, e.GetValue(), reason)
	}
	if e, ok := errors.AsType[*pflag.InvalidSyntaxError](err); ok {
		return fmt.Errorf("%s: a flag has a name: write --NAME=VALUE, or after -- what is no flag", e.GetSpecifiedFlag())
	}
	return err
}

// unknownFlag explains a flag that c does not have.
func unknownFlag(c *cobra.Command, line []string, e *pflag.NotExistError, root *cobra.Command) error {
	name, typed, word := e.GetSpecifiedName(), "--"+e.GetSpecifiedName(), "--"+e.GetSpecifiedName()
	if cluster := e.GetSpecifiedShortnames(); cluster != "" {
		typed, word = "-"+name, "-"+cluster
		if i := slices.IndexFunc(line, func(arg string) bool { return strings.HasPrefix(arg, "-") && strings.HasSuffix(arg, cluster) }); i >= 0 {
			word = line[i]
		}
		if exists(word) {
			return fmt.Errorf("%s begins like a flag, and is a name here: write ./%[1]s, or -- before all names", word)
		}
		if len(cluster) > 1 {
			typed += " in " + word
		}
	}
	if f, known := foreign.Named(name); known && f.Refused {
		return fmt.Errorf("%s: %s", typed, f.Why)
	}
	switch verbs := verbsWith(root, name); {
	case len(verbs) > 0:
		return fmt.Errorf("%s is no flag of %s, but of %s", typed, c.CommandPath(), ui.List(verbs))
	case !c.HasParent() && slices.Contains(verbNames(root), name):
		return fmt.Errorf("%s: a verb has no dashes: write psync %s", typed, name)
	case len(name) > 1:
		if near := nearest(name, FlagNames(c)); near != "" {
			return fmt.Errorf("%s: there is no such flag; did you mean --%s?", typed, near)
		}
	}
	return fmt.Errorf("%s: there is no such flag; if it is a name, write ./%s, or -- before it", typed, word)
}

// OneDash returns the hint for an argument of line that has one dash where a long flag of c has two; or "".
func OneDash(c *cobra.Command, line []string, root *cobra.Command) string {
	all, _, err := root.Find(strings.Fields(c.CommandPath())[1:])
	if err != nil {
		return ""
	}
	names := FlagNames(all)
	for _, arg := range line {
		word, _, _ := strings.Cut(strings.TrimPrefix(arg, "-"), "=")
		if len(word) < 4 || word == arg || word[0] == '-' {
			continue
		}
		if i := slices.IndexFunc(names, func(name string) bool { return strings.HasPrefix(name, word) }); i >= 0 {
			return fmt.Sprintf("%s is a number of letters, each of them a flag; did you mean --%s?", arg, names[i])
		}
	}
	return ""
}

// verbsWith returns the verbs of root that have a flag, as they are typed.
func verbsWith(root *cobra.Command, name string) (verbs []string) {
	for _, c := range slices.Concat([]*cobra.Command{root}, root.Commands()) {
		defined := c.Flags().Lookup(name)
		if len(name) == 1 {
			defined = c.Flags().ShorthandLookup(name)
		}
		switch {
		case defined == nil || defined.Name == "help":
		case c == root:
			verbs = append(verbs, "psync without a verb")
		case !c.Hidden:
			verbs = append(verbs, c.CommandPath())
		}
	}
	return verbs
}

// FlagNames returns the names of the flags of c that its help lists.
func FlagNames(c *cobra.Command) (names []string) {
	c.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			names = append(names, f.Name)
		}
	})
	return names
}

// nearest returns the word that another one is mistyped for, or "". Cobra has a measure for that.
func nearest(typed string, words []string) string {
	c := &cobra.Command{SuggestionsMinimumDistance: min(2, (len(typed)+2)/3)}
	for _, word := range words {
		c.AddCommand(&cobra.Command{Use: word, Run: func(*cobra.Command, []string) {}})
	}
	suggested := c.SuggestionsFor(typed)
	if len(suggested) == 0 {
		return ""
	}
	i := slices.IndexFunc(suggested, func(word string) bool { return strings.EqualFold(word, typed) })
	return suggested[max(i, 0)]
}

// Hint names the help that explains the command line of c.
func Hint(c *cobra.Command) string {
	if !c.HasParent() {
		return "psync --help lists verbs and flags"
	}
	return c.CommandPath() + " --help explains it"
}

// ValueOfSwitch returns an error if DST, the last of the operands args of a line, does not exist, and may be meant as the value of a switch,
// which takes none, as in "sync s d --stats 5s". The directories named before would be copied into a new directory of
// that name. With one SRC, nothing else than DST can be meant.
func ValueOfSwitch(fs *pflag.FlagSet, line, args []string) error {
	if len(args) < 3 {
		return nil
	}
	last := len(args) - 1
	dst := args[last]
	isSwitch := func(arg string) bool { return flags.IsSwitch(fs, arg) }
	takesValue := func(arg string) bool { return flags.TakesValue(fs, arg) }
	if ignores := fs.Lookup("ignore-missing-args"); ignores == nil || !ignores.Changed {
		before, src := argv.OperandBehindSwitch(line, isSwitch, takesValue, func(arg string) bool { return arg != args[0] && !mayExist(arg) })
		if before != "" && slices.Contains(args[:last], src) {
			return fmt.Errorf("%s takes no value, but %s follows it, which would become another SRC, and does not exist: leave %[2]s out", before, src)
		}
	}
	l, err := location.Parse(dst)
	if err != nil || !l.Account.IsHere() || strings.HasSuffix(dst, "/") || strings.HasPrefix(dst, "./") || exists(l.Path) {
		return nil
	}
	before := argv.SwitchBefore(line, isSwitch, takesValue)
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

// MistypedVerb returns the hint for a word that was taken for a source and is meant as a verb, or "".
func MistypedVerb(root *cobra.Command, args []string) string {
	if len(args) == 0 || strings.HasPrefix(args[0], "-") || strings.ContainsAny(args[0], ":/") || exists(args[0]) {
		return ""
	}
	if instead := foreign.InsteadOfVerb(args[0]); instead != "" || len(args[0]) < 4 {
		return instead // a short word is near many
	}
	if near := nearest(args[0], verbNames(root)); near != "" {
		return fmt.Sprintf("did you mean psync %s?", near)
	}
	return ""
}

// verbNames returns the verbs of root that its help lists.
func verbNames(root *cobra.Command) (verbs []string) {
	for _, c := range root.Commands() {
		if c.IsAvailableCommand() {
			verbs = append(verbs, c.Name())
		}
	}
	return verbs
}

// lettersOnly are long flags of which each letter is a switch, so that with one dash they would do something else.
var lettersOnly = []string{"acls", "backup", "bootstrap", "chmod", "dirs", "group", "landlock", "links", "mkpath", "partial", "stats", "xattrs"}

// Operands returns an error if line has a long flag with one dash that would pass for letters, or if one of its operands
// args, which does not exist, is a flag with a dash of typesetters, or a flag of robocopy. With one SRC, what follows it is
// DST, even if robocopy has a flag like it.
func Operands(line, args []string) error {
	for _, arg := range line {
		if word, found := strings.CutPrefix(arg, "-"); arg == "--" {
			break
		} else if found && slices.Contains(lettersOnly, word) {
			return fmt.Errorf("%s would be the letters of other flags: write -%[1]s", arg)
		}
	}
	for i, arg := range args {
		instead := foreign.InsteadOfRobocopy(arg)
		word := strings.TrimLeft(arg, "\u2012\u2013\u2014\u2212")
		switch {
		case word == arg && instead == "", exists(arg): // which others need not wait for
		case word != arg:
			return fmt.Errorf("%s begins with a dash that no flag has: write --%s; if it is a path, write ./%[1]s", arg, word)
		case instead != "" && (i != 1 || len(args) != 2):
			return fmt.Errorf("%s is a flag of robocopy, and no path here: write %s; if it is a path, write %[1]s/", arg, instead)
		}
	}
	return nil
}

// exists reports whether an operand exists here.
func exists(path string) bool { return operand.Exists(localfs.Host{}, path) }
