package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"psync/internal/version"
)

func versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:               "version",
		Short:             "Print the version and what it was built from",
		Args:              atMost(0),
		ValidArgsFunction: completeWith(cobra.ShellCompDirectiveNoFileComp),
		Run:               func(c *cobra.Command, _ []string) { fmt.Fprintf(c.OutOrStdout(), "psync %s\n", version.String()) },
	}
}
