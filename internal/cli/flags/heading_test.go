package flags

import (
	"slices"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"psync/internal/cli/flaggroup"
)

// TestEveryFlagHasAHeading finds flags that the help of their verb would list under none.
func TestEveryFlagHasAHeading(t *testing.T) {
	for _, verb := range []Verbs{Bare, Copy, Sync, Compare, Delete} {
		c := new(cobra.Command)
		Define(c, verb)
		c.Flags().VisitAll(func(f *pflag.Flag) {
			if heading := flaggroup.HeadingOf(f); !slices.Contains(Headings(), heading) {
				t.Errorf("verb %d: --%s has the heading %q", verb, f.Name, heading)
			}
		})
	}
}
