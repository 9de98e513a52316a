// Package help prints the help of psync and of its verbs.
package help

import (
	"embed"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"psync/internal/cli/flaggroup"
	"psync/internal/cli/flags"
)

// texts holds the texts of --help, one file per verb: a line of summary, a description, and examples.
//
//go:embed *.txt
var texts embed.FS

// statusHeading is the line of a description that the exit codes follow.
const statusHeading = "Exit status:\n"

// Describe sets the help of c to that of a verb.
func Describe(c *cobra.Command, verb string) {
	text := strings.NewReplacer("{hosts}", textOf("hosts"), "{metadata}", textOf("metadata"), "{exitcodes}", textOf("exitcodes")).Replace(textOf(verb))
	c.Short, text, _ = strings.Cut(text, "\n\n")
	c.Long, c.Example, _ = strings.Cut(text, "\n\nExamples:\n")
}

// textOf returns the contents of an embedded file.
func textOf(name string) string {
	text, err := texts.ReadFile(name + ".txt")
	if err != nil {
		panic(err)
	}
	return strings.TrimSuffix(string(text), "\n")
}

// commonFlags are those that the short help of psync lists.
var commonFlags = []string{"archive", "delete", "dry-run", "exclude", "progress", "threads", "verbose"}

// Show prints the help of c: for psync without a verb a screen, unless --verbose is given.
func Show(c *cobra.Command, _ []string) {
	verbose := c.Flags().Lookup("verbose")
	text := ""
	switch {
	case (c.Name() == "cp" || c.Name() == "rsync") && c.HasParent(): // their flags are not defined by pflag
		text = c.Long
	case !c.HasParent() && c.Runnable() && !verbose.Changed:
		text = screen(c)
	default:
		text = fullHelp(c)
	}
	_, _ = io.WriteString(c.OutOrStdout(), text) // Main reports what is lost
}

// screen returns the short help of psync.
func screen(root *cobra.Command) string {
	common := pflag.NewFlagSet("", pflag.ContinueOnError)
	for _, name := range commonFlags {
		common.AddFlag(root.Flags().Lookup(name))
	}
	return strings.NewReplacer("{verbs}", verbList(root), "{flags}", flagList(common, nil)).Replace(textOf("screen")) + "\n"
}

// verbList returns a line for each verb that is not hidden.
func verbList(c *cobra.Command) string {
	var b strings.Builder
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() || sub.Name() == "help" {
			fmt.Fprintf(&b, "  %-12s%s\n", sub.Name(), sub.Short)
		}
	}
	return b.String()
}

// flagList returns the flags of a set under their headings.
func flagList(fs *pflag.FlagSet, headings []string) string {
	var b strings.Builder
	for _, g := range flaggroup.Of(fs, headings) {
		switch {
		case g.Heading != "":
			b.WriteString("\n" + g.Heading + ":\n")
		case headings != nil:
			b.WriteString("\nFlags:\n")
		}
		b.WriteString(g.Text())
	}
	return b.String()
}

// fullHelp returns the help of a verb: examples first, exit codes last.
func fullHelp(c *cobra.Command) string {
	about, status, _ := strings.Cut(c.Long, statusHeading)
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\nUsage:\n  %s\n", c.Short, c.UseLine())
	if len(c.Aliases) > 0 {
		fmt.Fprintf(&b, "\nOther names of this verb: %s\n", strings.Join(c.Aliases, ", "))
	}
	if c.Example != "" {
		fmt.Fprintf(&b, "\nExamples:\n%s\n", c.Example)
	}
	if about = strings.TrimSpace(about); about != "" {
		fmt.Fprintf(&b, "\n%s\n", about)
	}
	if verbs := verbList(c); verbs != "" {
		fmt.Fprintf(&b, "\nVerbs:\n%s", verbs)
	}
	b.WriteString(flagList(c.LocalFlags(), flags.Headings()))
	if status != "" {
		fmt.Fprintf(&b, "\n%s%s\n", statusHeading, status)
	}
	return b.String()
}

// DefineFlag defines the flag --help of c. cobra itself would also add -h.
func DefineFlag(c *cobra.Command) {
	c.Flags().Bool("help", false, "show this help")
	c.Flags().Lookup("help").Annotations = flaggroup.Annotation(flags.HeadingShown)
}

// FlagError returns an error for a -h that is not a flag of c, for which pflag asks for help.
func FlagError(_ *cobra.Command, err error) error {
	if errors.Is(err, pflag.ErrHelp) {
		return errors.New("-h is no flag of this verb; alone, or as --help, it shows its help")
	}
	return err
}

// Command returns the verb help, which refuses topics that there are not.
func Command(root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use:   "help [VERB]",
		Short: "Explain psync, or a verb",
		RunE: func(_ *cobra.Command, args []string) error {
			c, rest, err := root.Find(args)
			if err != nil || len(rest) > 0 {
				return fmt.Errorf("help %s: there is no such verb: psync --help lists them", strings.Join(args, " "))
			}
			return c.Help()
		},
	}
}
