package cli

import (
	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
)

func manCommand(root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use:   "man [DIR]",
		Short: "Write the man pages into DIR, or the main one to standard output",
		Args:  cobra.MaximumNArgs(1),
		Example: `  psync man | man -l -
  psync man /usr/local/share/man/man1`,
		RunE: func(c *cobra.Command, args []string) error {
			header := &doc.GenManHeader{Section: "1", Source: "psync", Manual: "User Commands"}
			if len(args) == 0 {
				return doc.GenMan(root, header, c.OutOrStdout())
			}
			return doc.GenManTree(root, header, args[0])
		},
	}
}
