package argv

import (
	"slices"
	"strings"
	"testing"
)

func TestLongHelp(t *testing.T) {
	l := Line{IsVerb: func(arg string) bool { return arg == "sync" || arg == cp }}
	for args, want := range map[string]string{
		"-h":             "--help",
		"sync -h":        "sync --help",
		"cp -h":          "cp -h", // an error of cp
		"src -h":         "src -h",
		"sync -h a b":    "sync -h a b",
		"-h sync":        "-h sync",
		"sync -avh a b":  "sync -avh a b",
		"sync -a -h":     "sync -a -h",
		"-h a b":         "-h a b",
		"sync --help -h": "sync --help -h",
		"-help":          "--help",
		"sync -help a b": "sync --help",
		"cp -help":       "cp -help",
		"src -help":      "src -help",
		"-version":       "--version",
		"sync -version":  "sync -version",
		"":               "",
	} {
		if got := l.longHelp(strings.Fields(args)); !slices.Equal(got, strings.Fields(want)) {
			t.Errorf("%q: got %q, want %q", args, got, want)
		}
	}
}
