package ui

import (
	"errors"
	"io/fs"
	"testing"

	"psync/internal/report"
)

func TestDifferencesAsLines(t *testing.T) {
	tests := []struct {
		event report.Event
		want  string
	}{
		{madeDir, "only in source: a/\n"},
		{copiedFile, "only in source: a/f\n"},
		{report.Event{Kind: report.Symlink, Name: "l", Target: "t"}, "only in source: l\n"},
		{report.Event{Kind: report.Link, Name: "f"}, "only in source: f\n"},
		{report.Event{Kind: report.Link, Name: "b", Target: "a", Diff: report.DiffNew}, "only in source: b\n"},
		{report.Event{Kind: report.Copy, Name: "p", Type: fs.ModeNamedPipe, Diff: report.DiffNew}, "only in source: p\n"},
		{report.Event{Kind: report.Delete, Name: "f"}, "only in destination: f\n"},
		{report.Event{Kind: report.Delete, Dir: "a", Name: "b", IsDir: true}, "only in destination: a/b/\n"},

		{report.Event{Kind: report.Replace, Name: "f", Diff: report.DiffNew | report.DiffSize}, "differs (type): f\n"},
		{report.Event{Kind: report.Replace, Name: "d", IsDir: true, Diff: report.DiffNew}, "differs (type): d/\n"},
		{report.Event{Kind: report.Replace, Name: "f", Diff: report.DiffSize | report.DiffMtime}, "differs (size, mtime): f\n"},
		{report.Event{Kind: report.Replace, Name: "f", Diff: report.DiffContents}, "differs (contents): f\n"},
		{report.Event{Kind: report.Replace, Name: "l", Target: "t", Diff: report.DiffContents}, "differs (target): l\n"},
		{report.Event{Kind: report.Replace, Name: "f"}, "differs: f\n"},
		{
			report.Event{Kind: report.SetAttr, Name: "f", Diff: report.DiffPerms | report.DiffOwner | report.DiffGroup | report.DiffAtime},
			"differs (mode, owner, group, atime): f\n",
		},
		{
			report.Event{Kind: report.SetAttr, Name: "f", Diff: report.DiffBtime | report.DiffACL | report.DiffXattr | report.DiffFlags},
			"differs (birth time, ACL, extended attributes, flags): f\n",
		},
		{report.Event{Kind: report.Link, Name: "b", Target: "a", Diff: report.DiffLinks}, "differs (hard links): b\n"},
		{report.Event{Kind: report.SetAttr, Name: "b", Diff: report.DiffLinks}, "differs (hard links): b\n"},
		{
			report.Event{Kind: report.Link, Name: "b", Target: "a", Diff: report.DiffLinks | report.DiffContents | report.DiffMtime},
			"differs (contents, mtime, hard links): b\n",
		},
		{
			report.Event{Kind: report.Link, Name: "l2", Target: "l", Type: fs.ModeSymlink, Diff: report.DiffLinks | report.DiffContents},
			"differs (target, hard links): l2\n",
		},
		{
			report.Event{Kind: report.Replace, Name: "nul", Type: fs.ModeDevice | fs.ModeCharDevice, Diff: report.DiffContents | report.DiffPerms},
			"differs (device number, mode): nul\n",
		},
		{
			report.Event{Kind: report.Replace, Name: "sock", Type: fs.ModeSocket, Diff: report.DiffContents | report.DiffPerms},
			"differs (type, mode): sock\n",
		},
		{report.Event{Kind: report.SetAttr, IsDir: true, Diff: report.DiffMtime}, "differs (mtime): ./\n"},
		{report.Event{Kind: report.Copy, Name: "a: b\n"}, `only in source: a: b\012` + "\n"},
		{skipped, ""},
	}
	for _, test := range tests {
		p, out, errs := newTest(Config{Compare: true})
		p.Event(test.event)
		if err := p.Flush(); err != nil {
			t.Error(err)
		}
		if got := out.String(); got != test.want {
			t.Errorf("%+v:\ngot  %q\nwant %q", test.event, got, test.want)
		}
		if errs.Len() != 0 {
			t.Errorf("%+v: stderr %q, want nothing", test.event, errs)
		}
	}
}

func TestHowAComparisonEnded(t *testing.T) {
	attr := report.Event{Kind: report.SetAttr, Name: "g", Diff: report.DiffMtime}
	hardLink := report.Event{Kind: report.Link, Name: "b", Target: "a", Diff: report.DiffLinks}
	mixed := []report.Event{attr, attr, changedFile, copiedFile, deletedFile, deletedFile}
	tests := []struct {
		what    string
		config  Config
		events  []report.Event
		outcome Outcome
		want    string
		differ  int64
	}{
		{"same", Config{}, nil, Outcome{}, "", 0},
		{"same, verbose", Config{Verbose: true}, nil, Outcome{Totals: report.Totals{report.FilesKept: 9}}, "", 0},
		{"differences", Config{}, mixed, Outcome{}, "", 6},
		{
			"differences, verbose",
			Config{Verbose: true},
			mixed,
			Outcome{},
			"psync: 3 entries differ, 1 only in source, 2 only in destination\n",
			6,
		},
		{"differences, itemized", Config{Verbose: true, Itemize: true}, times(1, changedFile), Outcome{}, "psync: 1 entry differs\n", 1},
		{"only in source", Config{Verbose: true}, times(1, copiedFile), Outcome{}, "psync: 1 entry only in source\n", 1},
		{
			"on both sides",
			Config{Verbose: true},
			append(times(1234, copiedFile), deletedFile),
			Outcome{},
			"psync: 1,234 entries only in source, 1 only in destination\n",
			1235,
		},
		{
			"hard links",
			Config{Verbose: true},
			[]report.Event{hardLink, {Kind: report.Link, Name: "b", Target: "a", Diff: report.DiffNew}},
			Outcome{},
			"psync: 1 entry differs, 1 only in source\n",
			2,
		},
		{"quiet", Config{Quiet: true, Verbose: true, Itemize: true}, mixed, Outcome{}, "", 6},
		{
			"failures",
			Config{Quiet: true},
			nil,
			Outcome{Totals: report.Totals{report.Failed: 2}},
			"psync: 2 entries could not be compared\n",
			0,
		},
		{
			"interrupted",
			Config{Verbose: true},
			mixed,
			Outcome{Err: errors.New("interrupt"), Interrupted: true},
			"psync: interrupted: the list is not complete\n",
			6,
		},
		{"stopped", Config{Verbose: true}, mixed, Outcome{Err: errors.New("list a: too bad")}, "psync: stopped: list a: too bad\n", 6},
	}
	for _, test := range tests {
		test.config.Compare = true
		p, out, errs := newTest(test.config)
		for _, e := range test.events {
			p.Event(e)
		}
		p.Summary(test.outcome)
		if got := errs.String(); got != test.want {
			t.Errorf("%s: got\n%swant\n%s", test.what, got, test.want)
		}
		if got := p.Differences(); got != test.differ {
			t.Errorf("%s: %d differences, want %d", test.what, got, test.differ)
		}
		if test.config.Quiet && out.Len() != 0 {
			t.Errorf("%s: listed %q, want nothing", test.what, out)
		}
	}
}
