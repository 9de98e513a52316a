package version

import (
	"runtime/debug"
	"testing"
)

func TestDescribe(t *testing.T) {
	system := []debug.BuildSetting{{Key: "GOOS", Value: "linux"}, {Key: "GOARCH", Value: "arm64"}}
	commit := []debug.BuildSetting{
		{Key: "vcs.revision", Value: "0123456789abcdef0123456789abcdef01234567"}, {Key: "vcs.time", Value: "2026-11-23T12:00:00Z"},
	}
	for _, test := range []struct {
		name, version string
		settings      []debug.BuildSetting
		want          string
	}{
		{"release", "v1.2.3", commit, "v1.2.3 0123456789ab 2026-11-23T12:00:00Z go1.26.1 linux/arm64"},
		{
			"changed since the commit", "v1.2.3+dirty", append(commit, debug.BuildSetting{Key: "vcs.modified", Value: "true"}),
			"v1.2.3+dirty 0123456789ab 2026-11-23T12:00:00Z modified go1.26.1 linux/arm64",
		},
		{"no repository", "(devel)", nil, "(devel) go1.26.1 linux/arm64"},
	} {
		info := &debug.BuildInfo{GoVersion: "go1.26.1", Main: debug.Module{Version: test.version}, Settings: append(test.settings, system...)}
		if got := describe(info); got != test.want {
			t.Errorf("%s: got %q, want %q", test.name, got, test.want)
		}
	}
}
