package cli

import (
	"embed"
	"errors"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// helpTexts holds the texts of --help, one file per verb: a line of summary, a description, and examples.
//
//go:embed help
var helpTexts embed.FS

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

// helpWithoutLetter adds the flag --help to c. cobra itself would also add -h.
func helpWithoutLetter(c *cobra.Command) {
	c.Flags().Bool("help", false, "help for "+c.Name())
}

// flagError returns an error for a -h that is not a flag of c, for which pflag asks for help.
func flagError(_ *cobra.Command, err error) error {
	if errors.Is(err, pflag.ErrHelp) {
		return errors.New("-h is no flag of this verb; alone, or as --help, it shows its help")
	}
	return err
}
