package argv

import (
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"psync/internal/cli/flags"
)

func TestLegacyFlags(t *testing.T) {
	verbs := []string{"copy", "version"}
	tests := []struct{ args, want string }{
		{"-threads 32 /a /b", "--threads=32 /a /b"},
		{"-threads=32 /a /b", "--threads=32 /a /b"},
		{"--threads 32 /a /b", "--threads 32 /a /b"},
		{"-j32 /a /b", "-j32 /a /b"},
		{"-verbose -quiet a b", "--verbose --quiet a b"},
		{"-owner a b", "--owner --group a b"},
		{"-owner=false a b", "--owner=false --group=false a b"},
		{"-times a b", "--times --atimes a b"},
		{"-create -dryrun a b", "--create --dry-run a b"},
		{"a b -times", "a b --times --atimes"},
		{"a b -threads", "a b --threads"}, // the flag's own error says that a value is missing
		{"-- -times a", "-- -times a"},
		{"-times -- -times a", "--times --atimes -- -times a"},
		{"-time a b", "-time a b"},
		{"copy -owner a b -threads 32", "copy --owner --group a b --threads=32"},
		{"copy -create a b", "copy --mkpath a b"},
		{"copy a -- b -owner", "copy a -- b -owner"},
		{"version -owner", "version -owner"},
		{"-threads 3 copy -owner a b", "--threads=3 copy --owner --group a b"},
		{"src copy -owner", "src copy --owner --group"},
		{"-j 3 copy -j -owner a b", "-j 3 copy -j -owner a b"},
		{"--threads copy a -owner", "--threads copy a --owner --group"},
		{"./copy -owner b", "./copy --owner --group b"},
		{"", ""},
	}
	for _, tt := range tests {
		l := Line{
			IsVerb:     func(s string) bool { return slices.Contains(verbs, s) },
			TakesValue: func(s string) bool { return s == "-j" || s == "--threads" },

			TakesValueAfter: func(_, s string) bool { return s == "-j" || s == "--threads" },
		}
		got := l.Expand(strings.Fields(tt.args))
		if !slices.Equal(got, strings.Fields(tt.want)) {
			t.Errorf("%s\n got %q\nwant %s", tt.args, got, tt.want)
		}
	}
}

// TestLegacyFlagsOfSync uses the actual flags.
func TestLegacyFlagsOfSync(t *testing.T) {
	c := new(cobra.Command)
	flags.Define(c, flags.Bare)
	tests := []struct{ args, want string }{
		{"-sync a b", "--sync a b"},
		{"-delete a b", "--delete a b"},
		{"-update a b", "--update a b"},
		{"-sync -delete -update -dryrun a b", "--sync --delete --update --dry-run a b"},
		{"a b -sync -delete", "a b --sync --delete"},
		{"-sync=false -delete=true a b", "--sync=false --delete=true a b"},
		{"-threads 4 -sync a b", "--threads=4 --sync a b"},
		{"-vj 4 -sync a b", "-vj 4 --sync a b"},
		{"-T sync -delete a b", "-T sync --delete a b"}, // sync is the value of -T, not the Verbs
		{"--max-delete sync -delete a b", "--max-delete sync --delete a b"},
		{"--exclude -sync a b", "--exclude -sync a b"},
		{"sync -delete a b", "sync --delete a b"},
		{"sync a b -update", "sync a b --update"},
		{"sync -sync a b", "sync a b"},
		{"-v sync -delete a b", "-v sync --delete a b"},
		{"sync -deleted a b", "sync -deleted a b"},
		{"-delete sync a b", "--delete sync a b"},
		{"./sync -delete b", "./sync --delete b"},
		{"a sync -delete", "a sync --delete"},
		{"-- -sync -delete", "-- -sync -delete"},
		{"-sync -- -delete", "--sync -- -delete"},
		{"-syncs a b", "-syncs a b"},
		{"--sync a b", "--sync a b"},
		{"-deleted a b", "-deleted a b"},
	}
	for _, tt := range tests {
		l := Line{
			IsVerb:     func(s string) bool { return s == "sync" || s == "copy" },
			TakesValue: func(s string) bool { return flags.TakesValue(c.Flags(), s) },

			TakesValueAfter: func(_, s string) bool { return flags.TakesValue(c.Flags(), s) },
		}
		got := l.Expand(strings.Fields(tt.args))
		want := strings.Fields(tt.want)
		if !slices.Equal(got, want) {
			t.Errorf("%s\n got %q\nwant %q", tt.args, got, want)
		}
	}
}
