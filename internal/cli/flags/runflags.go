package flags

import (
	"errors"
	"strconv"
	"time"

	"psync/internal/cli/values"
	"psync/internal/run"
)

// runFlags set how a run works.
func runFlags(o *Options) []flag {
	return []flag{
		newFlag("threads", "j", all, (*threads)(&o.Threads),
			"number of workers, 1 to 1024, or auto (0: one a processor, up to 16 while calls wait, or 64 where a side is a network file system)").
			also("transfers", "workers", "jobs", "parallel").under(headingSpeed). // names that others give it
			helpIn(Bare, "number of workers, 1 to 1024, or auto (0: 16)"),
		toggle("dry-run", "n", copying|Delete, &o.Engine.DryRun, "list what would be done, and do nothing").
			under(HeadingShown).
			helpIn(Delete, "list what would be removed, and do nothing"),
		toggle("force", "f", Delete, &o.Force, "do not ask, and ignore what does not exist").under(headingRemoved),
		word("require", "", copying, &o.Operands.Require,
			"do nothing unless each SRC holds a file `NAME`, as a mounted volume does").under(headingScope),
		newFlag("min-source-files", "", copying, (*values.Number)(&o.MinSourceFiles),
			"do nothing unless there are `N` files to copy or compare, or more").under(headingScope),
		newFlag("landlock", "", copying|Delete, values.Constant[run.Confinement]{Chosen: &o.Confine, Value: run.ConfineAlways, Otherwise: run.ConfineNever},
			"have the kernel (Linux) forbid this run to write and remove elsewhere than in DST, as it does where other users can write (--no-landlock: never)").
			under(headingPlaces).
			helpIn(Delete, "have the kernel (Linux) forbid this run to write, and to remove elsewhere, as it does where other users can write (--no-landlock: never)").
			offBy(values.Constant[run.Confinement]{Chosen: &o.Confine, Value: run.ConfineNever, Otherwise: run.ConfineAlways}),
	}
}

// listingFlags say what is listed of what a run does.
func listingFlags(o *Options) []flag {
	return []flag{
		newFlag("verbose", "v", all, values.Rival{On: &o.UI.Verbose, Other: &o.UI.Quiet}, "list what is done").
			helpIn(Compare, "end with a line of figures").
			helpIn(Delete, "list what is removed, and end with a line of figures"),
		newFlag("quiet", "q", all, values.Rival{On: &o.UI.Quiet, Other: &o.UI.Verbose}, "print errors only"),
		toggle("itemize-changes", "i", copying|Compare, &o.UI.Itemize, "list what is done in rsync's itemize format"),
		newFlag("out-format", "", copying, outFormat(&o.UI.OutFormat),
			"list what is done by rsync's escapes in `FORMAT`: %n %f %L %l %i %o %B %M %U %G %b %t %p (-i is \"%i %n%L\")"),
		newFlag("human-readable", "h", all, new(values.Toggle),
			"no effect, as sizes are always human-readable; -h alone is --help"), // rsync's
	}
}

// endFlags say when a run ends, and what of it is left for another one.
func endFlags(o *Options) []flag {
	return []flag{
		newFlag("stop-after", "", copying, &values.Minutes{Until: &o.Engine.Until, Now: time.Now},
			"begin with nothing more after `MINUTES`, and remove nothing then; files in hand are completed").
			also("time-limit").under(headingSpeed),
		newFlag("stop-at", "", copying, &values.PointInTime{Until: &o.Engine.Until, Now: time.Now},
			"likewise at a `TIME`: 14:00, 12-31, 2030-12-31T23:59 (what is left out is the next that comes)").
			under(headingSpeed),
		newFlag("max-transfer", "", copying, &values.Size{N: &o.Engine.MaxTransfer, Typed: new(bool)},
			"likewise after `SIZE` bytes of contents were moved").under(headingSpeed),
		word("journal", "", copying, &o.Output.Journal,
			"record in `FILE` which directories are done, and prove at the end that all are (see psync status)").
			under(headingPlaces),
		toggle("resume", "", copying, &o.Output.Resume,
			"go on with the --journal of a run that has not come to its end, or in which something failed").under(headingPlaces),
		newFlag("retry-for", "", all, &values.Period{D: &o.retry.VolumeTimeout, Typed: &o.retry.AllVolumes},
			"wait up to `SECONDS` (or 10m, 1h30m) for a volume that does not answer, or another host, and go on "+
				"(default 60 on network file systems of this host, 120 for hosts, else 0)").under(headingSpeed),
		toggle("create", "", Bare, &o.Operands.MakeParents, "make DST, and the directories above it, if missing").
			under(headingPlaces),
		toggle("mkpath", "", Copy|Sync, &o.Operands.MakeParents, "make the directories above DST, too, if missing").
			under(headingPlaces),
	}
}

// progressFlags show how a run gets on, and what has failed.
func progressFlags(s *Shown, o *run.Output) []flag {
	return []flag{
		toggle("progress", "P", copying|Delete, &s.Progress, "show progress from the start, on a terminal or not"),
		toggle("no-progress", "", copying|Delete, &s.NoProgress,
			"show no progress (default: on a terminal, after a second)"),
		word("failures", "", copying, &o.Failures,
			"write to `FILE` the paths that failed, relative to SRC, one a line (-0: NUL), as --files-from reads them"),
		word("metrics", "", copying|Delete, &s.Metrics,
			"serve figures of the run to Prometheus at `ADDR`, [HOST]:PORT, as http://ADDR/metrics (without HOST only to this system)"),
	}
}

// logFlags write what a run does.
func logFlags(s *Shown, o *run.Output) []flag {
	return []flag{
		word("json", "", copying|Compare|Delete, &o.JSON,
			"append to `FILE` what is done or differs, as JSON Lines (see psync-log); - is standard output"),
		word("log-file", "", copying|Compare|Delete, &o.Log,
			"append to `FILE` what is done or differs, in the format of rsync's log"),
		newFlag("log-file-format", "", copying|Compare|Delete, outFormat(&o.LogFormat),
			"write the lines of --log-file by the escapes of --out-format in `FORMAT` (default \"%i %n%L\")"),
		toggle("list-only", "", copying, &s.ListOnly,
			"list what would take part, in rsync's format, and copy nothing; DST may be left out"),
		toggle("stats", "", copying|Delete, &s.Stats, "print figures at the end"),
	}
}

// threads is a number of workers, or "auto".
type threads run.Threads

func (t *threads) Type() string   { return "N" }
func (t *threads) String() string { return "" }

func (t *threads) Set(s string) error {
	if s == "auto" {
		t.N, t.Auto = 0, true
		return nil
	}
	n, err := strconv.Atoi(s)
	if err != nil {
		return errors.New("want a number, or auto")
	}
	t.N, t.Auto = n, false
	return nil
}
