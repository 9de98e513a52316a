package cli

import (
	"fmt"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"
)

func versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:               "version",
		Short:             "Print the version and what it was built from",
		Args:              atMost(0),
		ValidArgsFunction: completeWith(cobra.ShellCompDirectiveNoFileComp),
		Run:               func(c *cobra.Command, _ []string) { fmt.Fprintf(c.OutOrStdout(), "psync %s\n", version()) },
	}
}

// version describes the build from the information that the Go command has recorded in it.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "(unknown version)"
	}
	return describeBuild(info)
}

// describeBuild returns the version, the commit and its time, as far as they are known, and what the program was built by
// and for.
func describeBuild(info *debug.BuildInfo) string {
	parts := []string{info.Main.Version}
	settings := make(map[string]string)
	for _, s := range info.Settings {
		settings[s.Key] = s.Value
	}
	if revision := settings["vcs.revision"]; revision != "" {
		parts = append(parts, revision[:min(12, len(revision))], settings["vcs.time"])
		if settings["vcs.modified"] == "true" {
			parts = append(parts, "modified")
		}
	}
	parts = append(parts, info.GoVersion, settings["GOOS"]+"/"+settings["GOARCH"])
	return strings.Join(parts, " ")
}
