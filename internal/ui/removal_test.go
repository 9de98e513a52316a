package ui

import (
	"errors"
	"io/fs"
	"syscall"
	"testing"
	"time"

	"psync/internal/report"
)

func TestHowARemovalEnded(t *testing.T) {
	var (
		interrupt = errors.New("interrupt")
		readOnly  = &fs.PathError{Op: "unlink", Path: "a/f", Err: syscall.EROFS}
		trees     = report.Totals{report.FilesDeleted: 78600, report.DirsDeleted: 5100}
		all       = report.Totals{report.FilesDeleted: 1, report.DirsDeleted: 1, report.LinksDeleted: 1, report.SpecialsDeleted: 1}
		one       = report.Totals{report.LinksDeleted: 1}
		failed    = report.Totals{report.FilesDeleted: 8, report.Failed: 3}
	)
	tests := []struct {
		what    string
		config  Config
		outcome Outcome
		want    string
	}{
		{"well", Config{}, Outcome{Totals: trees}, ""},
		{
			"well, verbose",
			Config{Verbose: true},
			Outcome{Totals: trees, Elapsed: 1200 * time.Millisecond},
			"psync: removed 78,600 files and 5,100 directories in 1.2 s\n",
		},
		{"all kinds", Config{Verbose: true}, Outcome{Totals: all}, "psync: removed 1 file, 1 directory, 1 link and 1 special file in 0 ms\n"},
		{"one link", Config{Verbose: true}, Outcome{Totals: one}, "psync: removed 1 link in 0 ms\n"},
		{"nothing", Config{Verbose: true}, Outcome{}, "psync: removed nothing in 0 ms\n"},
		{"dry run", Config{Verbose: true, DryRun: true}, Outcome{}, ""},
		{"failures", Config{}, Outcome{Totals: failed}, "psync: 3 entries could not be removed\n"},
		{
			"interrupted",
			Config{Quiet: true},
			Outcome{Totals: trees, Err: interrupt, Interrupted: true},
			"psync: interrupted: 83,700 entries were removed; run the same command again to remove the rest\n",
		},
		{
			"interrupted early",
			Config{},
			Outcome{Totals: one, Err: interrupt, Interrupted: true},
			"psync: interrupted: 1 entry was removed; run the same command again to remove the rest\n",
		},
		{
			"interrupted dry run",
			Config{DryRun: true},
			Outcome{Err: interrupt, Interrupted: true},
			"psync: interrupted: the list is not complete\n",
		},
		{
			"stopped",
			Config{},
			Outcome{Totals: failed, Err: readOnly},
			"psync: 3 entries could not be removed\n" +
				"psync: stopped: unlink a/f: read-only file system; 8 entries were removed\n",
		},
	}
	for _, test := range tests {
		test.config.Removal = true
		p, _, errs := newTest(test.config)
		p.Summary(test.outcome)
		if got := errs.String(); got != test.want {
			t.Errorf("%s: got\n%swant\n%s", test.what, got, test.want)
		}
	}
}

func TestDryRunOfARemovalListsIt(t *testing.T) {
	p, out, errs := newTest(Config{Removal: true, DryRun: true})
	p.Event(report.Event{Kind: report.Delete, Dir: "a", Name: "f"})
	p.Event(report.Event{Kind: report.Delete, Dir: "a", IsDir: true})
	p.Event(vanished)
	if err := p.Flush(); err != nil {
		t.Error(err)
	}
	if got, want := out.String(), "delete  a/f\ndelete  a/\n"; got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	if got, want := errs.String(), "psync: warning: /src/a/gone: vanished while removing\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
