package cli

import (
	"embed"
	"fmt"
	"io"
	"io/fs"

	"github.com/spf13/cobra"

	"psync/internal/cli/flags"
	"psync/internal/cli/manpage"
)

// manualTexts hold what the man pages say beyond --help.
//
//go:embed manual/*.md
var manualTexts embed.FS

func manual() manpage.Manual {
	texts, err := fs.Sub(manualTexts, "manual")
	if err != nil {
		panic(err) // the path is valid
	}
	return manpage.Manual{FS: texts, Headings: flags.Headings()}
}

func manCommand(root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use:               "man [DIR]",
		Short:             "Write the man pages into DIR, or the main one to standard output",
		Args:              atMost(1),
		ValidArgsFunction: completeWith(cobra.ShellCompDirectiveFilterDirs),
		Example: `  psync man | man -l -
  psync man /tmp/pages  # psync.1, psync-copy.1, ..., psync-filters.7, ...`,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 1 {
				if isVerb(root, args[0]) && !exists(args[0]) {
					return fmt.Errorf("there is no directory %s to write into: psync help %[1]s explains the verb", args[0])
				}
				return manual().WriteAll(root, args[0])
			}
			_, err := io.WriteString(c.OutOrStdout(), manual().Page(root))
			return err
		},
	}
}
