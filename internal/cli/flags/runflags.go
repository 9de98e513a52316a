package flags

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"psync/internal/cli/values"
	"psync/internal/metrics"
	"psync/internal/run"
)

// runFlags set how a run works.
func runFlags(o *Options) []flag {
	return []flag{
		{
			name: "threads", short: "j", synonyms: []string{"transfers", "workers", "jobs", "parallel"}, heading: headingSpeed, verbs: all, value: (*threads)(&o.Threads), // names that others give it
			help:    "number of workers, 1 to 1024, or auto (0: one a processor, up to 16 while calls wait, or 64 where a side is a network file system)",
			helpFor: map[Verbs]string{Bare: "number of workers, 1 to 1024, or auto (0: 16)"},
			misuse: func() faults {
				n := o.Threads.N
				return faults{{n < 0 || n > run.MaxThreads, fmt.Sprintf("--threads %d: the number of workers is 1 to %d", n, run.MaxThreads)}}
			},
		},
		{
			name: "dry-run", short: "n", heading: HeadingShown, verbs: copying | Delete, value: (*values.Toggle)(&o.Engine.DryRun),
			help:    "list what would be done, and do nothing",
			helpFor: map[Verbs]string{Delete: "list what would be removed, and do nothing"},
		},
		{
			name: "force", short: "f", heading: headingRemoved, verbs: Delete, value: (*values.Toggle)(&o.Force),
			help: "do not ask, and ignore what does not exist",
		},
		{
			name: "require", heading: headingScope, verbs: copying, value: (*values.Word)(&o.Operands.Require),
			help: "do nothing unless each SRC holds a file `NAME`, as a mounted volume does",
			misuse: misuseIf("--require: the name of the file is missing",
				func() bool { return strings.Trim(o.Operands.Require, "/") == "" }),
		},
		{
			name: "min-source-files", heading: headingScope, verbs: copying, value: (*values.Number)(&o.MinSourceFiles),
			help: "do nothing unless there are `N` files to copy or compare, or more",
			misuse: misuseIf("--min-source-files counts what SRC holds, and --files-from says that already: leave one of them out",
				func() bool { return o.rules.filesFrom != "" }),
		},
		{
			name: "landlock", heading: headingPlaces, verbs: copying | Delete,
			value:   values.Constant[run.Confinement]{Chosen: &o.Confine, Value: run.ConfineAlways, Otherwise: run.ConfineNever},
			off:     values.Constant[run.Confinement]{Chosen: &o.Confine, Value: run.ConfineNever, Otherwise: run.ConfineAlways},
			help:    "have the kernel (Linux) forbid this run to write and remove elsewhere than in DST, as it does where other users can write (--no-landlock: never)",
			helpFor: map[Verbs]string{Delete: "have the kernel (Linux) forbid this run to write, and to remove elsewhere, as it does where other users can write (--no-landlock: never)"},
		},
	}
}

// listingFlags say what is listed of what a run does.
func listingFlags(o *Options) []flag {
	return []flag{
		{
			name: "verbose", short: "v", heading: HeadingShown, verbs: all, value: values.Rival{On: &o.UI.Verbose, Other: &o.UI.Quiet},
			help: "list what is done",
			helpFor: map[Verbs]string{
				Compare: "end with a line of figures",
				Delete:  "list what is removed, and end with a line of figures",
			},
		},
		{name: "quiet", short: "q", heading: HeadingShown, verbs: all, value: values.Rival{On: &o.UI.Quiet, Other: &o.UI.Verbose}, help: "print errors only"},
		{
			name: "itemize-changes", short: "i", heading: HeadingShown, verbs: copying | Compare, value: (*values.Toggle)(&o.UI.Itemize),
			help: "list what is done in rsync's itemize format",
		},
		{
			name: "out-format", heading: HeadingShown, verbs: copying, value: outFormat(&o.UI.OutFormat),
			help: "list what is done by rsync's escapes in `FORMAT`: %n %f %L %l %i %o %B %M %U %G %b %t %p (-i is \"%i %n%L\")",
		},
		{
			name: "human-readable", short: "h", heading: HeadingShown, verbs: all, value: new(values.Toggle), // rsync's
			help: "no effect, as sizes are always human-readable; -h alone is --help",
		},
	}
}

// endFlags say when a run ends, and what of it is left for another one.
func endFlags(o *Options) []flag {
	return []flag{
		{
			name: "stop-after", synonyms: []string{"time-limit"}, heading: headingSpeed, verbs: copying, value: &values.Minutes{Until: &o.Engine.Until, Now: time.Now},
			help: "begin with nothing more after `MINUTES`, and remove nothing then; files in hand are completed",
		},
		{
			name: "stop-at", heading: headingSpeed, verbs: copying, value: &values.PointInTime{Until: &o.Engine.Until, Now: time.Now},
			help: "likewise at a `TIME`: 14:00, 12-31, 2030-12-31T23:59 (what is left out is the next that comes)",
		},
		{
			name: "max-transfer", heading: headingSpeed, verbs: copying, value: &values.Size{N: &o.Engine.MaxTransfer, Typed: new(bool)},
			help: "likewise after `SIZE` bytes of contents were moved",
			misuse: misuseIf("--max-transfer=0 would copy nothing: leave it out, or give -n to list what would be done",
				func() bool { return o.Engine.MaxTransfer == 0 }),
		},
		{
			name: "journal", heading: headingPlaces, verbs: copying, value: (*values.Word)(&o.Output.Journal),
			help:   "record in `FILE` which directories are done, and prove at the end that all are (see psync status)",
			misuse: func() faults { return journalMisuse(o) },
		},
		{
			name: "resume", heading: headingPlaces, verbs: copying, value: (*values.Toggle)(&o.Output.Resume),
			help:   "go on with the --journal of a run that has not come to its end, or in which something failed",
			misuse: misuseIf("--resume goes on with a --journal, which is missing", func() bool { return o.Output.Resume && o.Output.Journal == "" }),
		},
		{
			name: "retry-for", heading: headingSpeed, verbs: all, value: &values.Period{D: &o.retry.VolumeTimeout, Typed: &o.retry.AllVolumes},
			help: "wait up to `SECONDS` (or 10m, 1h30m) for a volume that does not answer, or a host by SFTP, and go on " +
				"(default 60 on network file systems of this host, 120 for hosts, else 0)",
		},
		{
			name: "create", heading: headingPlaces, verbs: Bare, value: (*values.Toggle)(&o.Operands.MakeParents),
			help: "make DST, and the directories above it, if missing",
		},
		{
			name: "mkpath", heading: headingPlaces, verbs: Copy | Sync, value: (*values.Toggle)(&o.Operands.MakeParents),
			help: "make the directories above DST, too, if missing",
		},
	}
}

// progressFlags show how a run gets on, and what has failed.
func progressFlags(s *Shown, o *run.Output) []flag {
	return []flag{
		{
			name: "progress", short: "P", verbs: copying | Delete, value: (*values.Toggle)(&s.Progress),
			help: "show progress from the start, on a terminal or not",
			misuse: misuseIf("--progress and --no-progress exclude each other",
				func() bool { return s.Progress && s.NoProgress }),
		},
		{
			name: "no-progress", verbs: copying | Delete, value: (*values.Toggle)(&s.NoProgress),
			help: "show no progress (default: on a terminal, after a second)",
		},
		{
			name: "failures", verbs: copying, value: (*values.Word)(&o.Failures),
			help:   "write to `FILE` the paths that failed, relative to SRC, one a line (-0: NUL), as --files-from reads them",
			misuse: func() faults { return fileMisuse("failures", o.Failures, "for standard output give /dev/stdout") },
		},
		{
			name: "metrics", verbs: copying | Delete, value: (*values.Word)(&s.Metrics),
			help: "serve figures of the run to Prometheus at `ADDR`, [HOST]:PORT, as http://ADDR/metrics (without HOST only to this system)",
			misuse: func() faults {
				_, err := metrics.Address(s.Metrics)
				return faults{{err != nil, fmt.Sprintf("--metrics %s is not [HOST]:PORT", s.Metrics)}}
			},
		},
	}
}

// logFlags write what a run does.
func logFlags(s *Shown, o *run.Output) []flag {
	return []flag{
		{
			name: "json", verbs: copying | Compare | Delete, value: (*values.Word)(&o.JSON),
			help:   "append to `FILE` what is done or differs, as JSON Lines (see psync-log); - is standard output",
			misuse: misuseIf("--json: the name of the file is missing", func() bool { return o.JSON == "" }),
		},
		{
			name: "log-file", verbs: copying | Compare | Delete, value: (*values.Word)(&o.Log),
			help:   "append to `FILE` what is done or differs, in the format of rsync's log",
			misuse: func() faults { return fileMisuse("log-file", o.Log, "-v lists on standard output what is done") },
		},
		{
			name: "log-file-format", verbs: copying | Compare | Delete, value: outFormat(&o.LogFormat),
			help: "write the lines of --log-file by the escapes of --out-format in `FORMAT` (default \"%i %n%L\")",
			misuse: misuseIf("--log-file-format is the format of a --log-file, which is missing",
				func() bool { return o.LogFormat != nil && o.Log == "" }),
		},
		{
			name: "list-only", verbs: copying, value: (*values.Toggle)(&s.ListOnly),
			help: "list what would take part, in rsync's format, and copy nothing; DST may be left out",
		},
		{name: "stats", verbs: copying | Delete, value: (*values.Toggle)(&s.Stats), help: "print figures at the end"},
	}
}

// fileMisuse returns what is wrong with the name of a file that is no stream, or "". instead says how to get the file on
// standard output.
func fileMisuse(flag, file, instead string) faults {
	return faults{
		{file == "", fmt.Sprintf("--%s: the name of the file is missing", flag)},
		{file == "-", fmt.Sprintf("--%s takes a file; %s", flag, instead)},
	}
}

// threads is a number of workers, or "auto".
type threads run.Threads

// Type implements [pflag.Value].
func (t *threads) Type() string { return "N" }

func (t *threads) String() string {
	if t.Auto {
		return "auto"
	}
	return strconv.Itoa(t.N)
}

// Set implements [pflag.Value].
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
