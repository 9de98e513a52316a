package engine

import (
	"fmt"
	"strings"
	"syscall"
	"testing"
	"time"

	"psync/internal/engine/job"
	"psync/internal/plan"
	"psync/internal/report"
	"psync/internal/vfs"
	"psync/internal/vfs/faultfs"
	"psync/internal/vfs/fstest"
)

var fsTime = time.Date(2001, time.January, 1, 0, 0, 0, 0, time.UTC)

// newAlternative returns a sync whose destination has the alternatives next to it.
func newAlternative(t testing.TB, kind plan.AlternativeKind, src, dst string, alternatives ...string) (*testbed, []vfs.Dir) {
	t.Helper()
	var all strings.Builder
	put := func(dir, tree string) {
		all.WriteString(dir + "/ 755\n")
		for line := range strings.Lines(flush(tree)) {
			all.WriteString(dir + "/" + line)
		}
	}
	put("dst", dst)
	for i, alt := range alternatives {
		put(fmt.Sprintf("alt%d", i), alt)
	}
	b := newSync(t, src, all.String())
	var dirs []vfs.Dir
	for i := range alternatives {
		dirs = append(dirs, b.inside(t, fmt.Sprintf("alt%d", i)))
	}
	b.job.Alternatives = job.Alternatives{Kind: kind, Dirs: dirs}
	b.job.Dest = b.inside(t, "dst")
	return b, dirs
}

func TestAlternatives(t *testing.T) {
	const at, other = " @2001-01-01T00:00:00Z ", " @2002-01-01T00:00:00Z "
	const linked, copied, missing = "linked", "copied", "missing"
	tests := []struct {
		name                          string
		src, dst, alt                 string
		link, copy, compare           string // what happens to d/f
		linkReported, compareReported string
	}{
		{"equal", "d/f 644" + at + "x", "", "d/f 644" + at + "x", linked, copied, missing, "link d/f", ""},
		{"other mode", "d/f 644" + at + "x", "", "d/f 600" + at + "x", copied, copied, copied, "copy d/f", "copy d/f"},
		{"other time", "d/f 644" + at + "x", "", "d/f 644" + other + "x", copied, copied, copied, "copy d/f", "copy d/f"},
		{"other size", "d/f 644" + at + "x", "", "d/f 644" + at + "xx", copied, copied, copied, "copy d/f", "copy d/f"},
		{"other kind", "d/f 644" + at + "x", "", "d/f -> x", copied, copied, copied, "copy d/f", "copy d/f"},
		{"none there", "d/f 644" + at + "x", "", "", copied, copied, copied, "copy d/f", "copy d/f"},
		{"no directory there", "d/f 644" + at + "x", "", "d 644 x", copied, copied, copied, "copy d/f", "copy d/f"},
		{"changed in the destination", "d/f 644" + at + "x", "d/f 644" + at + "old", "d/f 644" + at + "x", linked, copied, missing, "link d/f", "delete d/f"},
		{"current in the destination", "d/f 644" + at + "x", "d/f 644" + at + "x", "d/f 644" + at + "x", copied, copied, missing, "", "delete d/f"},
		{"current but for the mode", "d/f 644" + at + "x", "d/f 600" + at + "x", "d/f 644" + at + "x", copied, copied, missing, "", "delete d/f"},
		{"current in the destination, other mode", "d/f 644" + at + "x", "d/f 644" + at + "x", "d/f 600" + at + "x", copied, copied, copied, "", ""},
		{"empty directory in the destination", "d/f 644" + at + "x", "d/f/ 755", "d/f 644" + at + "x", linked, copied, missing, "link d/f", "delete d/f"},
		{"link in the destination", "d/f 644" + at + "x", "d/f -> f", "d/f 644" + at + "x", linked, copied, missing, "link d/f", "delete d/f"},
	}
	for _, tt := range tests {
		for kind, want := range map[plan.AlternativeKind]string{plan.LinkDest: tt.link, plan.CopyDest: tt.copy, plan.CompareDest: tt.compare} {
			t.Run(fmt.Sprintf("%s, kind %d", tt.name, kind), func(t *testing.T) {
				b, dirs := newAlternative(t, kind, tt.src, tt.dst, tt.alt)
				open := b.dst.Open()
				before := fstest.Tree(t, dirs[0], fstest.WithMtimes)
				b.mustRun(t)
				if now := b.dst.Open(); now != open {
					t.Errorf("%d handles stay open", now-open)
				}
				if after := fstest.Tree(t, dirs[0], fstest.WithMtimes); after != before {
					t.Errorf("the alternative is\n%s\nwas\n%s", after, before)
				}
				got := missing
				if dst := fstest.Tree(t, b.job.Dest, fstest.WithMtimes); strings.Contains(dst, "d/f 644 @2001-01-01T00:00:00Z x\n") {
					got = copied
					if strings.Contains(tt.alt, "d/f 6") && id(t, b.job.Dest, "d/f") == id(t, dirs[0], "d/f") {
						got = linked
					}
				}
				if got != want {
					t.Errorf("d/f is %s, want %s", got, want)
				}
				reported := map[plan.AlternativeKind]string{plan.LinkDest: tt.linkReported, plan.CompareDest: tt.compareReported}
				if want, ok := reported[kind]; ok {
					if got := strings.Join(b.record.lines(report.Link, report.Copy, report.Replace, report.Delete), " "); got != want {
						t.Errorf("reported %q, want %q", got, want)
					}
				}
				b.mustRun(t)
				if got := b.record.lines(report.Link, report.Copy, report.Replace, report.Delete, report.SetAttr); got != nil {
					t.Errorf("the second run reports %q", got)
				}
			})
		}
	}
}

// TestCompareDestRemovesOnlyWhatItHasSeen lets another program replace a file that is about to be removed.
func TestCompareDestRemovesOnlyWhatItHasSeen(t *testing.T) {
	const at = "f 644 @2001-01-01T00:00:00Z "
	for _, backup := range []bool{false, true} {
		b, dirs := newAlternative(t, plan.CompareDest, at+"x\n", at+"old\n", at+"x\n")
		b.job.Backup.On, b.job.Backup.Suffix = backup, "~"
		dst := b.job.Dest
		b.job.Alternatives.Dirs = []vfs.Dir{faultfs.New(dirs[0], func(op, _ string) error {
			if op == "open" {
				fstest.Fill(t, dst, "f 644 @2009-01-01T00:00:00Z newer\n")
			}
			return nil
		})}
		if err := b.run(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := fstest.Tree(t, dst); got != "f 644 newer\n" {
			t.Errorf("backup %v: the destination is\n%s", backup, got)
		}
		b.wantEvents(t, nil, report.Delete)
		if got := b.record.lines(report.Fail); len(got) != 1 {
			t.Errorf("backup %v: reported %q, want one failure", backup, got)
		}
	}
}

func TestFirstAlternativeCounts(t *testing.T) {
	const at = "f 644 @2001-01-01T00:00:00Z "
	b, dirs := newAlternative(t, plan.LinkDest, at+"x\n", "", at+"other\n", at+"x\n", at+"x\n")
	b.mustRun(t)
	if id(t, b.job.Dest, "f") != id(t, dirs[1], "f") {
		t.Error("f is not a link to the first that has it")
	}
}

func TestContentsOfAnAlternativeAreUsedWhereItIsNotExact(t *testing.T) {
	b, dirs := newAlternative(t, plan.LinkDest, "f 644 @2001-01-01T00:00:00Z x\n", "", "f 600 @2001-01-01T00:00:00Z y\n")
	b.mustRun(t)
	if id(t, b.job.Dest, "f") == id(t, dirs[0], "f") {
		t.Error("f is a link to a file of another mode")
	}
	// Its size and time make y look like the source's file.
	if got := fstest.Tree(t, b.job.Dest); got != "f 644 y\n" {
		t.Errorf("the destination is\n%s", got)
	}
}

func TestChecksumLooksIntoAlternatives(t *testing.T) {
	b, _ := newAlternative(t, plan.LinkDest, "f 644 @2001-01-01T00:00:00Z x\n", "", "f 644 @2001-01-01T00:00:00Z y\n")
	b.job.Policy.Checksum = true
	b.mustRun(t)
	if got := fstest.Tree(t, b.job.Dest); got != "f 644 x\n" {
		t.Errorf("the destination is\n%s", got)
	}
}

// TestAlternativeOnAnotherFileSystemIsCopied checks files that cannot be linked to.
func TestAlternativeOnAnotherFileSystemIsCopied(t *testing.T) {
	const f = "f 644 @2001-01-01T00:00:00Z x\n"
	b, _ := newAlternative(t, plan.LinkDest, f, "", f)
	b.job.Alternatives.Dirs = []vfs.Dir{another(t, f)}
	b.mustRun(t)
	b.wantEvents(t, []string{"copy f"}, report.Copy, report.Link)
	if got := fstest.Tree(t, b.job.Dest, fstest.WithMtimes); got != f {
		t.Errorf("the destination is\n%s", got)
	}
}

// TestAlternativeThatCannotBeReadDoesNoHarm expects a copy from the source instead.
func TestAlternativeThatCannotBeReadDoesNoHarm(t *testing.T) {
	const at = " 644 @2001-01-01T00:00:00Z x\n"
	for _, op := range []string{"opendir d", "lstat f", "open f", "link f"} {
		for _, kind := range []plan.AlternativeKind{plan.LinkDest, plan.CopyDest, plan.CompareDest} {
			b, dirs := newAlternative(t, kind, "d/f"+at+"d/g"+at, "", "d/f"+at+"d/g"+at)
			b.job.Threads = 1
			b.job.Alternatives.Dirs = []vfs.Dir{faultfs.New(dirs[0], fails(map[string]error{op: syscall.EACCES}))}
			if err := b.run(t.Context()); err != nil {
				t.Fatal(err)
			}
			b.wantEvents(t, nil, report.Fail)
		}
	}
}

// TestEachFileIsTreatedAlikeWhereAnAlternativeCannotBeOpened has two alternatives, the second of which cannot be
// reached.
func TestEachFileIsTreatedAlikeWhereAnAlternativeCannotBeOpened(t *testing.T) {
	const at = " 644 @2001-01-01T00:00:00Z x\n"
	b, dirs := newAlternative(t, plan.LinkDest, "d/f"+at+"d/g"+at+"d/h"+at, "", "d/ 755\n", "d/ 755\n")
	b.job.Threads = 1
	b.job.Alternatives.Dirs = []vfs.Dir{dirs[0], faultfs.Inject(dirs[1], `(op opendir, path "d", err EACCES)`)}
	if err := b.run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if n := len(b.record.lines(report.Fail)); n != 0 && n != 3 {
		t.Errorf("reported %q, want all files or none", b.record.lines(report.Fail))
	}
}

// TestCopyWithLinkDestAgain twice runs a copy without sync, which copies every file: the second time, all files are
// already links to the alternative.
func TestCopyWithLinkDestAgain(t *testing.T) {
	const f = "f 644 @2001-01-01T00:00:00Z x\n"
	b, dirs := newAlternative(t, plan.LinkDest, f, "", f)
	b.job.Policy.Sync = false
	for range 2 {
		b.mustRun(t)
		if got := fstest.Tree(t, b.job.Dest, fstest.WithMtimes); got != f {
			t.Errorf("the destination is\n%s", got)
		}
		if id(t, b.job.Dest, "f") != id(t, dirs[0], "f") {
			t.Error("f is not a link to the alternative")
		}
	}
}

// TestLinkDestInTheWay has a non-empty directory where a link will be made.
func TestLinkDestInTheWay(t *testing.T) {
	const f = "f 644 @2001-01-01T00:00:00Z x\n"
	for _, deletes := range []bool{false, true} {
		t.Run(fmt.Sprintf("delete %v", deletes), func(t *testing.T) {
			b, _ := newAlternative(t, plan.LinkDest, f, "f/old 644 old\n", f)
			b.job.Delete.On = deletes
			b.job.DryRun = true
			if err := b.run(t.Context()); err != nil {
				t.Fatal(err)
			}
			planned := b.record.lines(report.Link, report.Copy, report.Replace, report.Delete, report.Fail)
			b.job.DryRun = false
			if err := b.run(t.Context()); err != nil {
				t.Fatal(err)
			}
			b.wantEvents(t, planned, report.Link, report.Copy, report.Replace, report.Delete, report.Fail)
		})
	}
}
