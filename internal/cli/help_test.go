package cli

import (
	"slices"
	"strings"
	"testing"
)

func TestLongHelp(t *testing.T) {
	isVerb := func(arg string) bool { return arg == "sync" || arg == cpVerb }
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
		"":               "",
	} {
		if got := longHelp(strings.Fields(args), isVerb); !slices.Equal(got, strings.Fields(want)) {
			t.Errorf("%q: got %q, want %q", args, got, want)
		}
	}
}
