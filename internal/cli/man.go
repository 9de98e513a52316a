package cli

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"psync/internal/cli/flags"
	"psync/internal/cli/manpage"
	"psync/internal/cli/manual"
)

func pages() manpage.Manual { return manpage.Manual{FS: manual.Texts, Headings: flags.Headings()} }

func manCommand(root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use:               "man [DIR]",
		Short:             "Write the man pages into DIR, or the main one to standard output",
		Args:              atMost(1),
		ValidArgsFunction: cobra.FixedCompletions(nil, cobra.ShellCompDirectiveFilterDirs),
		Example: `  psync man | man -l -
  psync man /tmp/pages  # psync.1, psync-copy.1, ..., psync-filters.7, ...`,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 1 {
				if isVerb(root, args[0]) && !exists(args[0]) {
					return fmt.Errorf("there is no directory %s to write into: psync help %[1]s explains the verb", args[0])
				}
				return pages().WriteAll(root, args[0])
			}
			_, err := io.WriteString(c.OutOrStdout(), pages().Page(root))
			return err
		},
	}
}
