// Package version describes the build of the program.
package version

import (
	"runtime/debug"
	"strings"
)

// String returns the version, the commit and its time, as far as they are known, and what the program was built by
// and for. It takes this from the information that the Go command has recorded in the program.
func String() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "(unknown version)"
	}
	return describe(info)
}

func describe(info *debug.BuildInfo) string {
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
