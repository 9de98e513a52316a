package ui

import (
	"testing"

	"psync/internal/report"
)

// The lines are those that rsync 3.2 to 3.5 print for the same changes.
func TestItemizedLines(t *testing.T) {
	const (
		mkdir, copied, replaced = report.Mkdir, report.Copy, report.Replace
		symlink, hard, attrs    = report.Symlink, report.Link, report.SetAttr
		gone                    = report.Delete

		isNew, contents, size = report.DiffNew, report.DiffContents, report.DiffSize
		mtime, now, atime     = report.DiffMtime, report.DiffNow, report.DiffAtime
		perms, owner, group   = report.DiffPerms, report.DiffOwner, report.DiffGroup
	)
	tests := []struct {
		what  string
		event report.Event
		want  string
	}{
		{"new root", report.Event{Kind: mkdir, IsDir: true, Diff: isNew}, "cd+++++++++ ./"},
		{"new directory", report.Event{Kind: mkdir, Dir: "a", Name: "d", IsDir: true}, "cd+++++++++ a/d/"},
		{"new file", report.Event{Kind: copied, Dir: "a", Name: "f", Diff: isNew | now}, ">f+++++++++ a/f"},
		{"new link", report.Event{Kind: symlink, Name: "l", Target: "f"}, "cL+++++++++ l -> f"},
		{"new hard link", report.Event{Kind: hard, Name: "f", Diff: isNew}, "hf+++++++++ f"},

		{"size and time", report.Event{Kind: replaced, Name: "f", Diff: size | mtime}, ">f.st...... f"},
		{"time", report.Event{Kind: replaced, Name: "f", Diff: mtime}, ">f..t...... f"},
		{"without -t", report.Event{Kind: replaced, Name: "f", Diff: size | mtime | now}, ">f.sT...... f"},
		{"time of the run only", report.Event{Kind: replaced, Name: "f", Diff: now}, ">f..T...... f"},
		{"contents", report.Event{Kind: replaced, Name: "f", Diff: contents}, ">fc........ f"},
		{"everything", report.Event{Kind: replaced, Name: "f", Diff: contents | size | mtime | perms | owner | group | atime}, ">fcstpogu.. f"},
		{"copied though nothing differs", report.Event{Kind: replaced, Name: "f"}, ">f......... f"},
		{"file for a directory", report.Event{Kind: replaced, Name: "f", Diff: isNew | size}, ">f+++++++++ f"},

		{"target", report.Event{Kind: replaced, Name: "l", Target: "g", Diff: contents}, "cLc........ l -> g"},
		{"target and time", report.Event{Kind: replaced, Name: "l", Target: "g", Diff: contents | size | mtime}, "cLc.t...... l -> g"},
		{"target without -t", report.Event{Kind: replaced, Name: "l", Target: "g", Diff: contents | now}, "cLc.T...... l -> g"},
		{"link for a file", report.Event{Kind: replaced, Name: "l", Target: "g", Diff: isNew}, "cL+++++++++ l -> g"},
		{"directory for a file", report.Event{Kind: replaced, Name: "d", IsDir: true, Diff: isNew}, "cd+++++++++ d/"},

		{"attributes of a file", report.Event{Kind: attrs, Name: "f", Diff: perms | owner | group}, ".f...pog... f"},
		{"access time", report.Event{Kind: attrs, Name: "f", Diff: atime}, ".f......u.. f"},
		{"time of a link", report.Event{Kind: attrs, Name: "l", Target: "f", Diff: mtime}, ".L..t...... l -> f"},
		{"time of a directory", report.Event{Kind: attrs, Dir: "d", IsDir: true, Diff: mtime}, ".d..t...... d/"},
		{"time of the root", report.Event{Kind: attrs, IsDir: true, Diff: mtime}, ".d..t...... ./"},
		{"no attributes", report.Event{Kind: attrs, Name: "f"}, ".f          f"},

		{"same as elsewhere", report.Event{Kind: hard, Name: "f"}, "hf          f"},
		{"other times than elsewhere", report.Event{Kind: hard, Name: "f", Diff: mtime}, "hf..t...... f"},

		{"deleted file", report.Event{Kind: gone, Dir: "a", Name: "f"}, "*deleting   a/f"},
		{"deleted link", report.Event{Kind: gone, Dir: "a", Name: "l", Target: "f"}, "*deleting   a/l"},
		{"deleted directory", report.Event{Kind: gone, Dir: "a", IsDir: true}, "*deleting   a/"},

		{"hostile names", report.Event{Kind: symlink, Name: "l\n", Target: "\x1b"}, `cL+++++++++ l\012 -> \033`},
	}
	for _, test := range tests {
		if got := string(appendItemized(nil, test.event)); got != test.want+"\n" {
			t.Errorf("%s:\ngot  %swant %s", test.what, got, test.want)
		}
	}
}

func TestItemizedPlanIsTheSameWhateverElseIsAsked(t *testing.T) {
	const want = "cd+++++++++ a/\n>f+++++++++ a/f\n*deleting   a/old\n"
	for _, c := range []Config{{}, {Verbose: true}, {DryRun: true}, {Compare: true}, {Removal: true}, {Quiet: true}} {
		c.Itemize = true
		p, out, _ := newTest(c)
		for _, e := range []report.Event{madeDir, copiedFile, skipped, vanished, deletedFile} {
			p.Event(e)
		}
		p.Summary(Outcome{})
		if got := out.String(); got != want {
			t.Errorf("%+v: got\n%swant\n%s", c, got, want)
		}
	}
}

func TestVerboseItemizedRunEndsWithFigures(t *testing.T) {
	p, _, errs := newTest(Config{Itemize: true, Verbose: true})
	p.Summary(Outcome{})
	if got, want := errs.String(), "psync: copied 0 files (0 B) in 0 ms\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
