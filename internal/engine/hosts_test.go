package engine

import (
	"slices"
	"testing"

	"psync/internal/engine/source"
	"psync/internal/metadata"
	"psync/internal/report"
	"psync/internal/vfs"
	"psync/internal/vfs/faultfs"
	"psync/internal/vfs/fstest"
	"psync/internal/vfs/memfs"
)

// hostRoot returns the root of a host that holds a tree.
func hostRoot(t *testing.T, number uint8, m *memfs.FS, tree string) vfs.Dir {
	t.Helper()
	d, err := memfs.NewHost(number, m).Open("/", vfs.OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	fstest.Fill(t, d, tree)
	return d
}

// TestHardLinksAreThoseOfOneHost copies entries of two hosts that have the same inode numbers.
func TestHardLinksAreThoseOfOneHost(t *testing.T) {
	b := newTestbed(t, "", "")
	one := hostRoot(t, 1, memfs.New(), "f 644 one\ng (= f)")
	two := hostRoot(t, 2, memfs.New(), "f 644 two\ng (= f)")
	x, _ := vfs.Lstat(one, "f")
	y, _ := vfs.Lstat(two, "f")
	if x.Ino != y.Ino || x.ID() == y.ID() {
		t.Fatalf("entries %v and %v", x.ID(), y.ID())
	}
	b.job.HardLinks = true
	b.job.Sources = []source.Tree{{Dir: one, Label: "one", Into: "one"}, {Dir: two, Label: "two", Into: "two"}}
	b.mustRun(t)
	b.wantTree(t, "one/ 755\none/f 644 one\none/g (= one/f)\ntwo/ 755\ntwo/f 644 two\ntwo/g (= two/f)\n", fstest.WithLinks)
}

// TestSameNumbersOfTwoHostsAreTwoDirectories syncs between two roots with the same numbers.
func TestSameNumbersOfTwoHostsAreTwoDirectories(t *testing.T) {
	b := newSync(t, "", "")
	b.job.Sources[0].Dir = hostRoot(t, 1, memfs.New(), "f 644 new\nd/f 644 new")
	dest := memfs.New()
	b.job.Dest, b.dst = hostRoot(t, 2, dest, "f 644 older\nd/f 644 older"), dest
	b.mustRun(t)
	b.wantTree(t, "d/ 755\nd/f 644 new\nf 644 new\n")
}

// TestFilesAreClonedWithinOneHostOnly counts attempts to clone.
func TestFilesAreClonedWithinOneHostOnly(t *testing.T) {
	const tree = "src/f 644 text\ndst/"
	for _, same := range []bool{false, true} {
		b := newSync(t, "", "")
		from := hostRoot(t, 1, memfs.NewMac(memfs.Mac{}), tree)
		to := hostRoot(t, 2, memfs.NewMac(memfs.Mac{}), tree)
		b.job.Threads = 1
		clones, want := 0, 0
		if same {
			from, want = to, 1
		}
		b.job.Sources[0].Dir = below(t, from, "src")
		b.job.Dest = faultfs.New(below(t, to, "dst"), func(op, _ string) error {
			if op == "clonefile" {
				clones++
			}
			return nil
		})
		b.job.SourceProfile, b.job.DestProfile = metadata.Darwin, metadata.Darwin
		b.mustRun(t)
		if got := fstest.Tree(t, b.job.Dest); got != "f 644 text\n" || clones != want {
			t.Errorf("on one host: %v; %d files were to be cloned, want %d; copied are %q", same, clones, want, got)
		}
	}
}

// TestForeignAttributesAreReported copies twice from a Mac to Linux.
func TestForeignAttributesAreReported(t *testing.T) {
	b := newSync(t, "", "")
	b.job.Sources[0].Dir = hostRoot(t, 1, memfs.NewMac(memfs.Mac{}), "f 644 @com.apple.FinderInfo=info @org.x=label text")
	dest := memfs.New()
	b.job.Dest, b.dst = hostRoot(t, 2, dest, ""), dest
	b.job.SourceProfile, b.job.DestProfile = metadata.Darwin, metadata.Linux
	b.job.Keep = metadata.Keep{Mtime: true, Xattrs: true, Asked: report.Xattrs}
	for run := range 2 {
		if err := b.run(t.Context()); err != nil {
			t.Fatal(err)
		}
		unkept := slices.DeleteFunc(slices.Clone(b.record.events), func(e report.Event) bool { return e.Kind != report.Unkept })
		if len(unkept) != 1 || unkept[0].Attr != report.Xattrs || !unkept[0].Asked {
			t.Errorf("run %d: %+v", run, unkept)
		}
	}
}

// below opens a directory until the test ends.
func below(t *testing.T, d vfs.Dir, name string) vfs.Dir {
	t.Helper()
	sub, err := d.OpenDir(name, vfs.NoFollow)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { sub.Close() })
	return sub
}
