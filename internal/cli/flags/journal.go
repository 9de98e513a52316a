package flags

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"psync/internal/cli/flaggroup"
)

// Verb returns the name of the verb; it is "" where psync was called without.
func (o *Options) Verb() string {
	return [...]string{Copy: "copy", Sync: "sync", Compare: "compare", Delete: "delete"}[o.verb]
}

// Deciding returns those flags of a command line that decide which entries are dealt with, and how, in the order in
// which they were typed. Flags of speed, of what is shown, of hosts and of the journal are left out.
func (o *Options) Deciding(line []string) []string {
	others := []string{headingSpeed, HeadingShown, HeadingRemote, HeadingQueue}
	return o.typed(line, func(f *pflag.Flag) bool {
		return !slices.Contains(others, flaggroup.HeadingOf(f)) && f.Name != "journal" && f.Name != "resume"
	})
}

// Typed returns the flags of a command line by their full names, but for those without effect, in the order in which they
// were typed.
func (o *Options) Typed(line []string) []string {
	return o.typed(line, func(*pflag.Flag) bool { return true })
}

func (o *Options) typed(line []string, wanted func(*pflag.Flag) bool) (typed []string) {
	if len(line) > 0 && line[0] == o.Verb() {
		line = line[1:]
	}
	c := new(cobra.Command)
	Define(c, o.verb).DefineIgnored(c.Flags())
	// The command line was parsed before, so there is no error.
	_ = c.Flags().ParseAll(line, func(f *pflag.Flag, value string) error {
		if flaggroup.HeadingOf(f) != "" && wanted(f) {
			typed = append(typed, strings.TrimSuffix("--"+f.Name+"="+value, "=true"))
		}
		return nil
	})
	return typed
}
