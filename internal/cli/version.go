package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"psync/internal/cli/flaggroup"
	"psync/internal/cli/flags"
	"psync/internal/version"
)

func versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:               "version",
		Short:             "Print the version and what it was built from",
		Args:              atMost(0),
		ValidArgsFunction: cobra.FixedCompletions(nil, cobra.ShellCompDirectiveNoFileComp),
		RunE:              printVersion,
	}
}

func printVersion(c *cobra.Command, _ []string) error {
	fmt.Fprintf(c.OutOrStdout(), "psync %s\n", version.String()) // Main reports what is lost
	return nil
}

// defineVersion defines the flag --version. cobra would need a template to print the same, which costs: see [page.Digest.Write].
func defineVersion(root *cobra.Command) {
	wanted := root.Flags().Bool("version", false, "print the version")
	root.Flags().Lookup("version").Annotations = flaggroup.Annotation(flags.HeadingShown)
	check, run := root.Args, root.RunE
	root.Args = func(c *cobra.Command, args []string) error {
		if *wanted {
			return nil
		}
		return check(c, args)
	}
	root.RunE = func(c *cobra.Command, args []string) error {
		if *wanted {
			return printVersion(c, args)
		}
		return run(c, args)
	}
}
