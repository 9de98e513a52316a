package suite

import (
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"psync/internal/vfs"
	"psync/internal/vfs/fstest"
)

// placeRules test open directories, and renaming and moving entries.
var placeRules = []rule{
	{name: "an open directory keeps working when it is renamed", tree: "old/", check: func(t *testing.T, d vfs.Dir) {
		sub := openDir(t, d, "old")
		must(t, d.Rename("old", nil, "new", nil))
		put(t, sub, "f", "late")
	}, want: "new/ 755\nnew/f 644 late\n"},
	{name: "an open directory outlives its parent's handle", tree: "parent/child/", check: func(t *testing.T, d vfs.Dir) {
		parent, err := d.OpenDir("parent", vfs.NoFollow)
		must(t, err)
		child := openDir(t, parent, "child")
		must(t, parent.Close())
		put(t, child, "f", "late")
	}, want: "parent/ 755\nparent/child/ 755\nparent/child/f 644 late\n"},
	{name: "trees may be deeper than any path", check: func(t *testing.T, d vfs.Dir) {
		name := strings.Repeat("n", 250)
		const depth = 20 // 5000 bytes of path; systems allow at most 4096
		at := d
		for range depth {
			at = mkdir(t, at, name)
		}
		put(t, at, "f", "deep")
		want(t, at, "f", "deep")
		if got := strings.Count(fstest.Tree(t, d), "\n"); got != depth+1 {
			t.Errorf("the tree has %d entries, want %d", got, depth+1)
		}
	}},
	{name: "the parent follows a directory that moves", tree: "here/sub/\nthere/", check: func(t *testing.T, d vfs.Dir) {
		here, there := openDir(t, d, "here"), openDir(t, d, "there")
		sub := openDir(t, here, "sub")
		wantParent := func(want vfs.Dir) {
			t.Helper()
			up, err := sub.OpenDir("..", vfs.Parent)
			skipUnsupported(t, err)
			lasting(t, up, err)
			if got, want := lstat(t, up, ".").ID(), lstat(t, want, ".").ID(); got != want {
				t.Errorf("the parent is %v, want %v", got, want)
			}
		}
		wantParent(here)
		if here.Rename("sub", there, "sub", nil) == nil {
			wantParent(there)
		}
	}},
	{name: "Rename keeps what an entry is, in another directory, too", tree: "file 600 contents\ndir/f 644 within\nlink -> file\nto/", check: func(t *testing.T, d vfs.Dir) {
		to := openDir(t, d, "to")
		same := func(a, b vfs.Attr) bool { return a.ID() == b.ID() && a.Mode == b.Mode }
		for _, name := range []string{"file", "dir", "link"} {
			before := lstat(t, d, name)
			must(t, d.Rename(name, nil, "new", nil))
			if after := lstat(t, d, "new"); !same(after, before) {
				t.Errorf("%s: before %+v, renamed %+v", name, before, after)
			}
			must(t, d.Rename("new", to, name, nil))
			if after := lstat(t, to, name); !same(after, before) {
				t.Errorf("%s: before %+v, moved %+v", name, before, after)
			}
		}
	}},
	{name: "Rename replaces a file atomically", check: func(t *testing.T, d vfs.Dir) {
		a, b := strings.Repeat("a", 1000), strings.Repeat("b", 1000)
		put(t, d, "f", a)
		done := make(chan struct{})
		var wg sync.WaitGroup
		wg.Go(func() {
			for {
				select {
				case <-done:
					return
				default:
				}
				if got, err := fstest.ReadFile(d, "f"); err != nil || got != a && got != b {
					t.Errorf("read %.20q, %v during a rename", got, err)
					return
				}
			}
		})
		defer wg.Wait()
		defer close(done)
		for range 100 {
			for _, data := range []string{b, a} {
				put(t, d, "temp", data)
				must(t, d.Rename("temp", nil, "f", nil))
			}
		}
	}},
	{name: "Rename does not put a directory into itself", tree: "a/b/", check: func(t *testing.T, d vfs.Dir) {
		a := openDir(t, d, "a")
		for _, to := range []vfs.Dir{a, openDir(t, a, "b")} {
			wantError(t, d.Rename("a", to, "new", nil), "a")
		}
	}, want: "a/ 755\na/b/ 755\n"},
	{name: "Rename and Link take no foreign directory", tree: "file 644 contents\nto/", check: func(t *testing.T, d vfs.Dir) {
		to := openDir(t, d, "to")
		if d.Caps().Has(vfs.CanLink) {
			wantError(t, d.Link(foreignDir{d}, "file", "new"), "new", errors.ErrUnsupported)
		}
		wantError(t, d.Rename("file", foreignDir{to}, "new", nil), "file", errors.ErrUnsupported)
	}, want: "file 644 contents\nto/ 755\n"},
	{name: "a directory that no one may read can be removed", tree: "closed/ 000", check: func(t *testing.T, d vfs.Dir) {
		must(t, d.Rmdir("closed"))
		wantNames(t, d)
	}},
	{name: "a directory's time follows its entries", tree: "kept 644\nmoved 644\naway/", check: func(t *testing.T, d vfs.Dir) {
		away := openDir(t, d, "away")
		long := time.Unix(1_000_000_000, 0)
		for _, op := range []struct {
			name  string
			do    func() error
			moves bool
		}{
			{"Create", func() error { return closed(d.OpenFile("f", vfs.Create, 0o644)) }, true},
			{"Mkdir", func() error { return vfs.Mkdir(d, "d", 0o755) }, true},
			{"Symlink", func() error { return vfs.Symlink(d, "f", "l") }, true},
			{"Rename", func() error { return d.Rename("f", nil, "g", nil) }, true},
			{"Remove", func() error { return d.Remove("g", nil) }, true},
			{"Rmdir", func() error { return d.Rmdir("d") }, true},
			{"Chmod", func() error { return vfs.Chmod(vfs.In(d, "kept"), 0o600) }, false},
			{"Chtimes", func() error { return vfs.Chtimes(vfs.In(d, "kept"), long, long) }, false},
			{"Open", func() error { return closed(d.OpenFile("kept", vfs.ReadOnly, 0)) }, false},
			{"Move away", func() error { return d.Rename("moved", away, "moved", nil) }, true},
			{"Move back", func() error { return away.Rename("moved", d, "moved", nil) }, true},
		} {
			must(t, vfs.Chtimes(vfs.In(d, "."), long, long))
			must(t, op.do())
			if moved := !lstat(t, d, ".").Mtime.Equal(long); moved != op.moves {
				t.Errorf("%s changes the time of the directory: %v, want %v", op.name, moved, op.moves)
			}
		}
	}},
}

// foreignDir is a directory of an unknown implementation.
type foreignDir struct{ vfs.Dir }
