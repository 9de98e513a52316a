package cli

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

// helpTexts holds the texts of --help, one file per verb: a line of summary, a description, and examples.
//
//go:embed help
var helpTexts embed.FS

// statusHeading is the line of a description that the exit codes follow.
const statusHeading = "Exit status:\n"

// describe sets the help of c to that of a verb.
func describe(c *cobra.Command, verb string) {
	text := strings.NewReplacer("{hosts}", helpText("hosts"), "{metadata}", helpText("metadata"), "{exitcodes}", helpText("exitcodes")).Replace(helpText(verb))
	c.Short, text, _ = strings.Cut(text, "\n\n")
	c.Long, c.Example, _ = strings.Cut(text, "\n\nExamples:\n")
}

// helpText returns the contents of an embedded file.
func helpText(name string) string {
	text, err := helpTexts.ReadFile("help/" + name + ".txt")
	if err != nil {
		panic(err)
	}
	return strings.TrimSuffix(string(text), "\n")
}

// commonFlags are those that the short help of psync lists.
var commonFlags = []string{"archive", "delete", "dry-run", "exclude", "progress", "threads", "verbose"}

// showHelp prints the help of c: for psync without a verb a screen, unless --verbose is given.
func showHelp(c *cobra.Command, _ []string) {
	verbose := c.Flags().Lookup("verbose")
	text := ""
	switch {
	case (c.Name() == cpVerb || c.Name() == rsyncVerb) && c.HasParent():
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
	return strings.NewReplacer("{verbs}", verbList(root), "{flags}", flagList(common, nil)).Replace(helpText("screen")) + "\n"
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

// defineHelp defines the flag --help of c. cobra itself would also add -h.
func defineHelp(c *cobra.Command) {
	c.Flags().Bool("help", false, "show this help")
	c.Flags().Lookup("help").Annotations = flaggroup.Annotation(flags.HeadingShown)
}

// flagError returns an error for a -h that is not a flag of c, for which pflag asks for help.
func flagError(_ *cobra.Command, err error) error {
	if errors.Is(err, pflag.ErrHelp) {
		return errors.New("-h is no flag of this verb; alone, or as --help, it shows its help")
	}
	return err
}
