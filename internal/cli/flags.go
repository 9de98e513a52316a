package cli

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"psync/internal/plan"
)

// maxThreads is the largest number of workers; each may need a thread of the system.
const maxThreads = 1024

// copyFlags are the flags of the copying verbs, as typed.
type copyFlags struct {
	bare bool // the command without a verb, which has defaults of its own

	threads                int
	create, mkpath         bool
	dryRun, verbose, quiet bool
	progress, noProgress   bool
	stats                  bool
	owner, group           bool
	times, noTimes, atimes bool
	timesTyped             bool // times or atimes were asked for, not implied
}

func (f *copyFlags) add(c *cobra.Command) {
	fs := c.Flags()
	fs.SortFlags = false
	threads := "number of workers, 1 to 1024 (0: 16, or 64 where a side is a network file system)"
	if f.bare {
		threads = "number of workers, 1 to 1024 (0: 16)"
	}
	fs.IntVarP(&f.threads, "threads", "j", 0, threads)
	fs.BoolVarP(&f.dryRun, "dry-run", "n", false, "list what would be done, and do nothing")
	fs.BoolVarP(&f.verbose, "verbose", "v", false, "list what is done")
	fs.BoolVarP(&f.quiet, "quiet", "q", false, "print errors only")
	if f.bare {
		fs.BoolVar(&f.create, "create", false, "make DST, and the directories above it, if missing")
	} else {
		fs.BoolVar(&f.mkpath, "mkpath", false, "make the directories above DST, too, if missing")
	}
	fs.BoolVarP(&f.times, "times", "t", !f.bare, "keep modification times")
	if !f.bare {
		fs.BoolVar(&f.noTimes, "no-times", false, "do not keep modification times")
	}
	fs.BoolVarP(&f.atimes, "atimes", "U", false, "keep access times")
	fs.BoolVarP(&f.owner, "owner", "o", false, "keep the owner (for root)")
	fs.BoolVarP(&f.group, "group", "g", false, "keep the group")
	fs.BoolVar(&f.progress, "progress", false, "show progress from the start, on a terminal or not")
	fs.BoolVar(&f.noProgress, "no-progress", false, "show no progress (default: on a terminal, after a second)")
	fs.BoolVar(&f.stats, "stats", false, "print figures at the end")
	fs.BoolP("recursive", "r", true, "copy directories with what is in them (always on)")
	fs.BoolP("links", "l", true, "copy symbolic links as links (always on)")
	fs.SetNormalizeFunc(func(_ *pflag.FlagSet, name string) pflag.NormalizedName {
		if name == "transfers" { // as rclone calls it
			name = "threads"
		}
		return pflag.NormalizedName(name)
	})
}

// check validates the flags, and completes them by what was not typed.
func (f *copyFlags) check(fs *pflag.FlagSet) error {
	switch {
	case f.threads < 0 || f.threads > maxThreads:
		return fmt.Errorf("--threads %d: the number of workers is 1 to %d", f.threads, maxThreads)
	case f.progress && f.noProgress:
		return errors.New("--progress and --no-progress exclude each other")
	case f.noTimes && fs.Changed("times") && f.times:
		return errors.New("--times and --no-times exclude each other")
	}
	for _, always := range []string{"recursive", "links"} {
		if on, err := fs.GetBool(always); err != nil || !on {
			return fmt.Errorf("--%s cannot be switched off", always)
		}
	}
	f.timesTyped = fs.Changed("times") || fs.Changed("atimes")
	return nil
}

func (f *copyFlags) keep() plan.Keep {
	return plan.Keep{
		Owner: f.owner, Group: f.group,
		Mtime: f.times && !f.noTimes, Atime: f.atimes,
		AskedForTimes: f.timesTyped,
	}
}
