package ui

import (
	"errors"
	"io/fs"
	"syscall"
	"testing"
	"time"

	"psync/internal/report"
)

// asked returns e as an event about an attribute that the user named.
func asked(e report.Event) report.Event {
	e.Asked = true
	return e
}

func times(n int, e report.Event) []report.Event {
	events := make([]report.Event, n)
	for i := range events {
		events[i] = e
	}
	return events
}

func TestEventsReportedOnceAtTheEnd(t *testing.T) {
	untimed := unowned
	untimed.Attr, untimed.Name, untimed.Err = report.Times, "g", errors.ErrUnsupported
	tests := []struct {
		what   string
		config Config
		events []report.Event
		want   string
	}{
		{"nothing", Config{}, nil, ""},
		{
			"one skipped",
			Config{},
			times(1, skipped),
			"psync: warning: 1 special file (fifo, socket or device) was skipped, -D copies it: /src/a/fifo\n",
		},
		{
			"many skipped",
			Config{},
			times(1003, skipped),
			"psync: warning: 1,003 special files (fifos, sockets, devices) were skipped, -D copies them (first: /src/a/fifo)\n",
		},
		{"skipped, quiet", Config{Quiet: true}, times(3, skipped), ""},
		{
			"one unkept",
			Config{},
			times(1, unowned),
			"psync: warning: dst/a/f: the owner could not be kept: operation not permitted\n",
		},
		{
			"many unkept",
			Config{},
			times(1003, unowned),
			"psync: warning: the owner of 1,003 files could not be kept: operation not permitted (first: dst/a/f)\n",
		},
		{"unkept, quiet", Config{Quiet: true}, times(2, unowned), ""},
		{
			"unkept though asked for, quiet",
			Config{Quiet: true},
			times(2, asked(unowned)),
			"psync: the owner of 2 files could not be kept: operation not permitted (first: dst/a/f; --no-owner or --on-unsupported=warn accepts that)\n",
		},
		{
			"one of the unkept asked for",
			Config{},
			[]report.Event{unowned, asked(unowned)},
			"psync: the owner of 2 files could not be kept: operation not permitted (first: dst/a/f; --no-owner or --on-unsupported=warn accepts that)\n",
		},
		{
			"a temporary of others",
			Config{},
			times(1, report.Event{Kind: report.Leave, Root: "dst", Name: ".psync-x"}),
			"psync: note: 1 temporary file was left alone, for psync may be at work on it on another system (dst/.psync-x)\n",
		},
		{
			"temporaries of others",
			Config{},
			times(1003, report.Event{Kind: report.Leave, Root: "dst", Name: ".psync-x"}),
			"psync: note: 1,003 temporary files were left alone, for psync may be at work on them on another system (first: dst/.psync-x)\n",
		},
		{
			"files of volumes",
			Config{Verbose: true, DryRun: true},
			times(2, report.Event{Kind: report.VolumeFile, Root: "/Volumes/A", Name: ".Trashes", IsDir: true}),
			"psync: note: 2 entries were left out, for macOS keeps them for itself in the root of a volume; --volume-files takes them, too (first: /Volumes/A/.Trashes)\n",
		},
		{"files of volumes, not verbose", Config{}, times(2, report.Event{Kind: report.VolumeFile}), ""},
		{"temporaries of others, quiet", Config{Quiet: true}, times(2, report.Event{Kind: report.Leave}), ""},
		{
			"several attributes",
			Config{},
			[]report.Event{untimed, skipped, unowned},
			"psync: warning: 1 special file (fifo, socket or device) was skipped, -D copies it: /src/a/fifo\n" +
				"psync: warning: dst/a/f: the owner could not be kept: operation not permitted\n" +
				"psync: warning: dst/a/g: the times could not be kept: unsupported operation\n",
		},
	}
	for _, test := range tests {
		p, _, errs := newTest(test.config)
		for _, e := range test.events {
			p.Event(e)
		}
		p.Summary(Outcome{})
		if got := errs.String(); got != test.want {
			t.Errorf("%s: got\n%swant\n%s", test.what, got, test.want)
		}
	}
}

func TestSkippedEntriesAreReportedByReason(t *testing.T) {
	var (
		unsafe = errors.New("the link is unsafe, leads out of the tree")
		link   = report.Event{Kind: report.Skip, Root: "src", Dir: "a", Name: "l", Target: "/etc", Err: unsafe}
		mount  = report.Event{Kind: report.Skip, Root: "src", Dir: "m", IsDir: true, Err: errors.New("another file system")}
		file   = report.Event{Kind: report.Skip, Root: "src", Name: "f", Err: errors.New("odd\nname")}
		mixed  = report.Event{Kind: report.Skip, Root: "src", Name: "x", Err: unsafe}
	)
	tests := []struct {
		what   string
		config Config
		events []report.Event
		want   string
	}{
		{
			"one link",
			Config{},
			times(1, link),
			"psync: warning: 1 link was left out: the link is unsafe, leads out of the tree (src/a/l)\n",
		},
		{
			"links",
			Config{},
			times(1003, link),
			"psync: warning: 1,003 links were left out: the link is unsafe, leads out of the tree (first: src/a/l)\n",
		},
		{
			"a link and something else",
			Config{},
			[]report.Event{link, mixed},
			"psync: warning: 2 entries were left out: the link is unsafe, leads out of the tree (first: src/a/l)\n",
		},
		{"quiet", Config{Quiet: true}, times(2, link), ""},
		{
			"several reasons, and special files",
			Config{},
			[]report.Event{link, mount, file, skipped, mount},
			"psync: warning: 1 special file (fifo, socket or device) was skipped, -D copies it: /src/a/fifo\n" +
				"psync: warning: 2 directories were left out: another file system (first: src/m)\n" +
				`psync: warning: 1 file was left out: odd\012name (src/f)` + "\n" +
				"psync: warning: 1 link was left out: the link is unsafe, leads out of the tree (src/a/l)\n",
		},
	}
	for _, test := range tests {
		p, _, errs := newTest(test.config)
		for _, e := range test.events {
			p.Event(e)
		}
		p.Summary(Outcome{})
		if got := errs.String(); got != test.want {
			t.Errorf("%s: got\n%swant\n%s", test.what, got, test.want)
		}
	}
}

func TestHowARunEnded(t *testing.T) {
	const gib = 1 << 30
	var (
		ok     = report.Totals{report.FilesCopied: 1234, report.BytesCopied: 6 * gib / 5}
		one    = report.Totals{report.FilesCopied: 1, report.BytesCopied: 12}
		synced = report.Totals{
			report.FilesCopied: 3, report.BytesCopied: 6 * gib / 5, report.FilesKept: 78600, report.AttrsSet: 1,
			report.FilesDeleted: 2, report.DirsDeleted: 1, report.LinksDeleted: 1, report.SpecialsDeleted: 1,
		}
		failed = report.Totals{report.FilesCopied: 1234, report.Failed: 3}
		gone   = report.Totals{report.Vanished: 2}
		both   = report.Totals{report.Failed: 1, report.Vanished: 1}
		full   = &fs.PathError{Op: "write", Path: "/dst/a/f", Err: syscall.ENOSPC}
	)
	tests := []struct {
		what    string
		config  Config
		outcome Outcome
		want    string
	}{
		{"well", Config{}, Outcome{Totals: ok}, ""},
		{
			"well, verbose",
			Config{Verbose: true},
			Outcome{Totals: ok, Elapsed: 3400 * time.Millisecond},
			"psync: copied 1,234 files, 1.2 GiB in 3.4 s (361 MiB/s), 0 failed\n",
		},
		{
			"well, verbose, one file in no time",
			Config{Verbose: true},
			Outcome{Totals: one},
			"psync: copied 1 file, 12 B in 0 ms, 0 failed\n",
		},
		{
			"well, verbose, with deletions and current files",
			Config{Verbose: true},
			Outcome{Totals: synced, Elapsed: 2 * time.Second},
			"psync: copied 3 files, 1.2 GiB in 2.0 s (614 MiB/s), 1 entry given attributes, 5 deleted, 78,600 current, 0 failed\n",
		},
		{
			"well, verbose, with hard links and special files",
			Config{Verbose: true},
			Outcome{Totals: report.Totals{report.FilesCopied: 2, report.HardLinked: 1412, report.SpecialsMade: 1, report.DirsDeleted: 1}},
			"psync: copied 2 files, 0 B in 0 ms, 1,412 hard links made, 1 special file made, 1 deleted, 0 failed\n",
		},
		{
			"well, verbose, deletions only",
			Config{Verbose: true},
			Outcome{Totals: report.Totals{report.LinksDeleted: 1}},
			"psync: copied 0 files, 0 B in 0 ms, 1 deleted, 0 failed\n",
		},
		{
			"well, verbose, everything current",
			Config{Verbose: true},
			Outcome{Totals: report.Totals{report.FilesKept: 1}, Elapsed: time.Second},
			"psync: copied 0 files, 0 B in 1.0 s, 1 current, 0 failed\n",
		},
		{"well, verbose dry run", Config{Verbose: true, DryRun: true}, Outcome{}, ""},
		{"failures", Config{}, Outcome{Totals: failed}, "psync: 3 entries could not be copied; the rest is complete\n"},
		{"failures, quiet", Config{Quiet: true}, Outcome{Totals: failed}, "psync: 3 entries could not be copied; the rest is complete\n"},
		{"failures, dry run", Config{DryRun: true}, Outcome{Totals: failed}, "psync: 3 entries could not be copied\n"},
		{"vanished", Config{}, Outcome{Totals: gone}, "psync: warning: 2 entries vanished while copying; the rest is complete\n"},
		{"vanished, quiet", Config{Quiet: true}, Outcome{Totals: gone}, ""},
		{"both", Config{}, Outcome{Totals: both}, "psync: 1 entry could not be copied, 1 vanished; the rest is complete\n"},
		{
			"interrupted",
			Config{},
			Outcome{Totals: ok, Err: errors.New("interrupt"), Interrupted: true},
			"psync: interrupted: 1,234 files (1.2 GiB) were copied; run the same command again to complete the copy\n",
		},
		{
			"interrupted with a journal",
			Config{Resumes: true},
			Outcome{Totals: ok, Err: errors.New("interrupt"), Interrupted: true},
			"psync: interrupted: 1,234 files (1.2 GiB) were copied; run the same command again with --resume to complete the copy\n",
		},
		{
			"incomplete",
			Config{},
			Outcome{Totals: one, Incomplete: errors.New("1 of 2")},
			"psync: incomplete: 1 of 2; 1 file (12 B) was copied\n",
		},
		{
			"interrupted with deletions",
			Config{},
			Outcome{Totals: synced, Err: errors.New("interrupt"), Interrupted: true},
			"psync: interrupted: 3 files (1.2 GiB) were copied, 5 entries were deleted; run the same command again to complete the copy\n",
		},
		{
			"interrupted after failures, verbose",
			Config{Verbose: true},
			Outcome{Totals: failed, Err: errors.New("interrupt"), Interrupted: true, Elapsed: 2 * time.Second},
			"psync: 3 entries could not be copied\n" +
				"psync: interrupted: copied 1,234 files, 0 B in 2.0 s (0 B/s), 3 failed; run the same command again to complete the copy\n",
		},
		{
			"interrupted dry run",
			Config{DryRun: true},
			Outcome{Err: errors.New("interrupt"), Interrupted: true},
			"psync: interrupted: the list is not complete\n",
		},
		{
			"stopped",
			Config{Quiet: true},
			Outcome{Totals: one, Err: full},
			"psync: stopped: write /dst/a/f: no space left on device; 1 file (12 B) was copied\n",
		},
		{
			"stopped dry run, joined errors",
			Config{DryRun: true},
			Outcome{Err: errors.Join(full, errors.New("b\x1b"))},
			`psync: stopped: write /dst/a/f: no space left on device; b\033` + "\n",
		},
	}
	for _, test := range tests {
		p, _, errs := newTest(test.config)
		p.Summary(test.outcome)
		if got := errs.String(); got != test.want {
			t.Errorf("%s: got\n%swant\n%s", test.what, got, test.want)
		}
	}
}

// A failed directory is one entry, but more than one entry is missing.
func TestFailedDirectoriesAreNamed(t *testing.T) {
	deniedDir := denied
	deniedDir.IsDir = true
	tests := []struct {
		events []report.Event
		want   string
	}{
		{[]report.Event{denied, denied}, "2 entries"},
		{[]report.Event{denied, deniedDir, denied}, "3 entries (1 directory among them)"},
		{[]report.Event{deniedDir, denied, deniedDir}, "3 entries (2 directories among them)"},
		{[]report.Event{deniedDir}, "1 directory"},
	}
	for _, test := range tests {
		p, _, errs := newTest(Config{})
		for _, e := range test.events {
			p.Event(e)
		}
		errs.Reset()
		p.Summary(Outcome{Totals: report.Totals{report.Failed: int64(len(test.events))}})
		want := "psync: " + test.want + " could not be copied; the rest is complete\n"
		if got := errs.String(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
