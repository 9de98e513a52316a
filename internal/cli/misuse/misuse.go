// Package misuse says what is wrong with the flags of a command line, and what to type instead.
package misuse

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"psync/internal/cli/foreign"
	"psync/internal/ui"
)

// Error returns an error about the command line of c in psync's words: it names what was typed, and a remedy. The root
// command with all verbs is made if they are needed.
func Error(c *cobra.Command, err error, root func() *cobra.Command) error {
	if e, ok := errors.AsType[*pflag.NotExistError](err); ok {
		return unknownFlag(c, e, root)
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
func unknownFlag(c *cobra.Command, e *pflag.NotExistError, root func() *cobra.Command) error {
	name, typed := e.GetSpecifiedName(), "--"+e.GetSpecifiedName()
	if e.GetSpecifiedShortnames() != "" {
		typed = "-" + name
		if cluster := "-" + e.GetSpecifiedShortnames(); len(cluster) > 2 {
			typed += " in " + cluster
		}
	}
	if why := foreign.Refusal(name); why != "" {
		return fmt.Errorf("%s: %s", typed, why)
	}
	switch verbs := verbsWith(root(), name); {
	case len(verbs) > 0:
		return fmt.Errorf("%s is no flag of %s, but of %s", typed, c.CommandPath(), ui.List(verbs))
	case len(name) > 1:
		if near := Nearest(name, FlagNames(c)); near != "" {
			return fmt.Errorf("%s: there is no such flag; did you mean --%s?", typed, near)
		}
	}
	word := typed
	if cluster := e.GetSpecifiedShortnames(); cluster != "" {
		word = "-" + cluster
	}
	return fmt.Errorf("%s: there is no such flag; if it is a name, write ./%s, or -- before it", typed, word)
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

// Nearest returns the word that another one is mistyped for, or "". Cobra has a measure for that.
func Nearest(typed string, words []string) string {
	c := &cobra.Command{SuggestionsMinimumDistance: 2}
	for _, word := range words {
		c.AddCommand(&cobra.Command{Use: word, Run: func(*cobra.Command, []string) {}})
	}
	suggested := c.SuggestionsFor(typed)
	if len(suggested) == 0 {
		return ""
	}
	return suggested[0]
}

// Hint names the help that explains the command line of c.
func Hint(c *cobra.Command) string {
	if !c.HasParent() {
		return "psync --help lists verbs and flags"
	}
	return c.CommandPath() + " --help explains it"
}
