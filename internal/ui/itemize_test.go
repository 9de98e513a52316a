package ui

import (
	"io/fs"
	"testing"

	"psync/internal/report"
)

// The lines are those that rsync 3.2 to 3.5 print for the same changes. The exceptions are flags, which rsync
// does not know, and hard links that replace an entry of another type: rsync then compares entries that cannot
// be compared.
func TestItemizedLines(t *testing.T) {
	const (
		mkdir, copied, replaced = report.Mkdir, report.Copy, report.Replace
		symlink, hard, attrs    = report.Symlink, report.Link, report.SetAttr
		gone                    = report.Delete

		device = fs.ModeDevice | fs.ModeCharDevice
		block  = fs.ModeDevice
		fifo   = fs.ModeNamedPipe
		socket = fs.ModeSocket
		link   = fs.ModeSymlink

		isNew, contents, size = report.DiffNew, report.DiffContents, report.DiffSize
		mtime, now, atime     = report.DiffMtime, report.DiffNow, report.DiffAtime
		perms, owner, group   = report.DiffPerms, report.DiffOwner, report.DiffGroup
		btime, flags          = report.DiffBtime, report.DiffFlags
		acl, xattr, links     = report.DiffACL, report.DiffXattr, report.DiffLinks
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
		{"new link to what is elsewhere", report.Event{Kind: hard, Name: "f", Diff: isNew}, "hf+++++++++ f"},
		{"new device", report.Event{Kind: copied, Name: "nul", Type: device, Diff: isNew}, "cD+++++++++ nul"},
		{"new block device", report.Event{Kind: copied, Name: "blk", Type: block, Diff: isNew}, "cD+++++++++ blk"},
		{"new fifo", report.Event{Kind: copied, Name: "p", Type: fifo, Diff: isNew | now}, "cS+++++++++ p"},
		{"new socket", report.Event{Kind: copied, Dir: "a", Name: "sock", Type: socket}, "cS+++++++++ a/sock"},

		{"linked to another tree", report.Event{Kind: hard, Name: "f", Diff: isNew, Basis: &report.Basis{Same: true, Linked: true}}, "hf          f"},
		{"link of another tree", report.Event{Kind: symlink, Name: "l", Target: "f", Basis: &report.Basis{Linked: true}}, "hL          l -> f"},
		{"link as in another tree", report.Event{Kind: symlink, Name: "l", Target: "f", Basis: &report.Basis{Diff: mtime}}, "cL..t...... l -> f"},
		{"contents of another tree", report.Event{Kind: copied, Name: "f", Diff: isNew, Basis: &report.Basis{Diff: perms, Same: true}}, "cf...p..... f"},
		{"other contents in another tree", report.Event{Kind: copied, Name: "f", Diff: isNew, Basis: &report.Basis{Diff: size | mtime}}, ">f.st...... f"},
		{"directory of another tree", report.Event{Kind: mkdir, Name: "d", IsDir: true, Diff: isNew, Basis: new(report.Basis)}, "cd          d/"},

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
		{"device numbers", report.Event{Kind: replaced, Name: "blk", Type: block, Diff: contents | mtime}, "cDc.t...... blk"},
		{"device for a file", report.Event{Kind: replaced, Name: "blk", Type: block, Diff: isNew}, "cD+++++++++ blk"},
		{"file for a device", report.Event{Kind: replaced, Name: "f", Diff: isNew | size}, ">f+++++++++ f"},
		{"socket for a fifo", report.Event{Kind: replaced, Name: "sock", Type: socket, Diff: contents | mtime | perms}, "cSc.tp..... sock"},
		{"the size of a device", report.Event{Kind: attrs, Name: "nul", Type: device, Diff: size | mtime}, ".D..t...... nul"},

		{"attributes of a file", report.Event{Kind: attrs, Name: "f", Diff: perms | owner | group}, ".f...pog... f"},
		{"access time", report.Event{Kind: attrs, Name: "f", Diff: atime}, ".f......u.. f"},
		{"time of a link", report.Event{Kind: attrs, Name: "l", Target: "f", Diff: mtime}, ".L..t...... l -> f"},
		{"time of a directory", report.Event{Kind: attrs, Dir: "d", IsDir: true, Diff: mtime}, ".d..t...... d/"},
		{"time of the root", report.Event{Kind: attrs, IsDir: true, Diff: mtime}, ".d..t...... ./"},
		{"no attributes", report.Event{Kind: attrs, Name: "f"}, ".f          f"},
		{"attributes of a device", report.Event{Kind: attrs, Name: "blk", Type: block, Diff: mtime | perms | owner | group}, ".D..tpog... blk"},
		{"access time of a device", report.Event{Kind: attrs, Name: "nul", Type: device, Diff: atime}, ".D......u.. nul"},
		{"mode of a fifo", report.Event{Kind: attrs, Name: "p", Type: fifo, Diff: perms}, ".S...p..... p"},
		{"time of a link by its type", report.Event{Kind: attrs, Name: "l", Type: link, Target: "f", Diff: mtime}, ".L..t...... l -> f"},
		{"birth time", report.Event{Kind: attrs, Name: "f", Diff: btime}, ".f......n.. f"},
		{"birth and access time", report.Event{Kind: attrs, Name: "f", Diff: btime | atime}, ".f......b.. f"},
		{"ACL", report.Event{Kind: attrs, Name: "f", Diff: acl}, ".f.......a. f"},
		{"ACL of a fifo", report.Event{Kind: attrs, Name: "p", Type: fifo, Diff: acl}, ".S.......a. p"},
		{"extended attributes", report.Event{Kind: attrs, Name: "f", Diff: xattr}, ".f........x f"},
		{"both, of a directory", report.Event{Kind: attrs, Dir: "d", IsDir: true, Diff: acl | xattr}, ".d.......ax d/"},
		{"extended attributes and contents", report.Event{Kind: replaced, Name: "f", Diff: size | mtime | xattr}, ">f.st.....x f"},
		{"contents and access time", report.Event{Kind: replaced, Name: "f", Diff: size | atime}, ">f.s....u.. f"},
		{"flags", report.Event{Kind: attrs, Name: "f", Diff: flags}, ".f...p..... f"},
		{"mode and flags", report.Event{Kind: attrs, Name: "f", Diff: perms | flags}, ".f...p..... f"},

		{"new hard link", report.Event{Kind: hard, Name: "b", Target: "d/c", Diff: isNew}, "hf+++++++++ b => d/c"},
		{"new hard link below", report.Event{Kind: hard, Dir: "d", Name: "c", Target: "a", Diff: isNew | links}, "hf+++++++++ d/c => a"},
		{"new hard link to a link", report.Event{Kind: hard, Name: "l2", Target: "l", Type: link, Diff: isNew}, "hL+++++++++ l2 => l"},
		{"new hard link to a device", report.Event{Kind: hard, Name: "nul2", Target: "nul", Type: device, Diff: isNew}, "hD+++++++++ nul2 => nul"},
		{"new hard link to a fifo", report.Event{Kind: hard, Name: "p2", Target: "p", Type: fifo, Diff: isNew}, "hS+++++++++ p2 => p"},
		{"new hard link to a socket", report.Event{Kind: hard, Name: "s2", Target: "s", Type: socket, Diff: isNew}, "hS+++++++++ s2 => s"},
		{"hard link for a copy", report.Event{Kind: hard, Name: "b", Target: "a", Diff: links}, "hf          b => a"},
		{"compared with a copy", report.Event{Kind: attrs, Name: "b", Diff: links}, "hf          b"},
		{"compared with a copy of other owners", report.Event{Kind: attrs, Name: "b", Diff: links | owner}, "hf....o.... b"},
		{"hard link for a copy of a link", report.Event{Kind: hard, Name: "l2", Target: "l", Type: link, Diff: links}, "hL          l2 => l"},
		{"hard link for another file", report.Event{Kind: hard, Name: "b", Target: "a", Diff: links | size}, "hf.s....... b => a"},
		{"hard link for a file of other contents", report.Event{Kind: hard, Name: "b", Target: "a", Diff: links | contents}, "hf          b => a"},
		{"hard link for a file of other attributes", report.Event{Kind: hard, Name: "b", Target: "a", Diff: links | contents | mtime | perms | owner | group}, "hf..tpog... b => a"},
		{"hard link for another link", report.Event{Kind: hard, Name: "l2", Target: "l", Type: link, Diff: links | contents | size}, "hL          l2 => l"},
		{"hard link for another device", report.Event{Kind: hard, Name: "nul2", Target: "nul", Type: device, Diff: links | contents | mtime}, "hD..t...... nul2 => nul"},
		{"hard link for a directory", report.Event{Kind: hard, Name: "b", Target: "a", Diff: links | isNew}, "hf+++++++++ b => a"},

		{"same as elsewhere", report.Event{Kind: hard, Name: "f"}, "hf          f"},
		{"other times than elsewhere", report.Event{Kind: hard, Name: "f", Diff: mtime}, "hf..t...... f"},

		{"deleted file", report.Event{Kind: gone, Dir: "a", Name: "f"}, "*deleting   a/f"},
		{"deleted link", report.Event{Kind: gone, Dir: "a", Name: "l", Target: "f"}, "*deleting   a/l"},
		{"deleted directory", report.Event{Kind: gone, Dir: "a", IsDir: true}, "*deleting   a/"},

		{"deleted device", report.Event{Kind: gone, Name: "nul", Type: device}, "*deleting   nul"},

		{"hostile hard link", report.Event{Kind: hard, Name: "b", Target: "a\n", Diff: isNew}, `hf+++++++++ b => a\#012`},
		{"hostile names", report.Event{Kind: symlink, Name: "l\n", Target: "\x1b"}, `cL+++++++++ l\#012 -> \#033`},
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
	if got, want := errs.String(), "psync: copied 0 files, 0 B in 0 ms, 0 failed\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
