package cli

import (
	"io"

	"github.com/spf13/cobra"

	"psync/internal/cli/manpage"
)

func manCommand(root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use:   "man [DIR]",
		Short: "Write the man pages into DIR, or the main one to standard output",
		Args:  cobra.MaximumNArgs(1),
		Example: `  psync man | man -l -
  psync man /usr/local/share/man/man1`,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 1 {
				return manpage.WriteAll(root, args[0])
			}
			_, err := io.WriteString(c.OutOrStdout(), manpage.Page(root))
			return err
		},
	}
}
