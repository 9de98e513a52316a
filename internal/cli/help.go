package cli

import (
	"errors"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// longHelp returns args with --help instead of -h where that is all that is asked of psync
// or of a verb. Anywhere else, as in "sync -avh a b", -h is rsync's --human-readable: a
// command line that copies must not turn into one that prints help and succeeds.
func longHelp(args []string, isVerb func(string) bool) []string {
	switch {
	case len(args) == 1 && args[0] == "-h":
		return []string{"--help"}
	case len(args) == 2 && args[1] == "-h" && isVerb(args[0]) && args[0] != cpVerb:
		return []string{args[0], "--help"}
	}
	return args
}

// helpWithoutLetter gives c the flag --help, to which cobra would add -h.
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

// addHumanReadable adds rsync's -h.
func addHumanReadable(fs *pflag.FlagSet) {
	fs.BoolP("human-readable", "h", false, "no effect, as sizes are always human-readable; -h alone is --help")
}
