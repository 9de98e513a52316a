package suite

import (
	"errors"
	"io/fs"
	"testing"
	"time"

	"psync/internal/vfs"
)

// plainRules test copying files that have nothing but contents, rwx bits, times and an owner, and checking whether such
// files are equal.
var plainRules = []rule{
	{name: "CopyPlain copies contents, mode and modification time", needs: vfs.CanCopyPlain, tree: "src/f 640 @2001-01-01T00:00:00Z contents", check: func(t *testing.T, d vfs.Dir) {
		for _, lookFirst := range []bool{false, true} {
			o := plainOptions()
			o.LookFirst = lookFirst
			if size, err := copyPlain(t, d, "f", o); err != nil || size != int64(len("contents")) {
				t.Errorf("CopyPlain = %d, %v", size, err)
			}
			if got, want := lstat(t, d, "f").Mtime, time.Date(2001, 1, 1, 0, 0, 0, 0, time.UTC); !got.Equal(want) {
				t.Errorf("the modification time is %v, want %v", got, want)
			}
			want(t, d, "f", "contents")
			if !lookFirst {
				must(t, d.Remove("f", nil))
			}
		}
	}, want: "f 640 contents\nsrc/ 755\nsrc/f 640 contents\n"},
	{name: "CopyPlain leaves the modification time if that is not kept", needs: vfs.CanCopyPlain, tree: "src/f 644 @2001-01-01T00:00:00Z", check: func(t *testing.T, d vfs.Dir) {
		o := plainOptions()
		o.Mtime = false
		if size, err := copyPlain(t, d, "f", o); err != nil || size != 0 {
			t.Errorf("CopyPlain = %d, %v", size, err)
		}
		if lstat(t, d, "f").Mtime.Year() == 2001 {
			t.Error("the copy has the modification time of the source")
		}
	}, want: "f 644\nsrc/ 755\nsrc/f 644\n"},
	{name: "CopyPlain copies both times, and bits that the umask clears", needs: vfs.CanCopyPlain, tree: "src/f 666 contents", check: func(t *testing.T, d vfs.Dir) {
		src := openDir(t, d, "src")
		atime, mtime := time.Date(2002, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(2001, 1, 1, 0, 0, 0, 0, time.UTC)
		must(t, vfs.Chtimes(vfs.In(src, "f"), atime, mtime))
		o := plainOptions()
		o.Mtime, o.Atime, o.Umask, o.IgnoresXattr = false, true, 0o777, nil
		if size, err := copyPlain(t, d, "f", o); err != nil || size != int64(len("contents")) {
			t.Errorf("CopyPlain = %d, %v", size, err)
		}
		if got := lstat(t, d, "f"); !got.Atime.Equal(atime) || !got.Mtime.Equal(mtime) {
			t.Errorf("the times are %v and %v, want %v and %v", got.Atime, got.Mtime, atime, mtime)
		}
	}, want: "f 666 contents\nsrc/ 755\nsrc/f 666 contents\n"},
	{name: "CopyPlain leaves out what is not plain", needs: vfs.CanCopyPlain, tree: `
		src/dir/
		src/link -> f
		src/long 644 "0123456789"*10
		src/set-id 4755 x
		src/early 644 @1960-01-01T00:00:00Z x
		src/late 644 @2050-01-01T00:00:00Z x
	`, check: func(t *testing.T, d vfs.Dir) {
		src := openDir(t, d, "src")
		put(t, src, "other", "x")
		put(t, src, "f", "x")
		names := []string{"dir", "link", "long", "set-id", "early", "late", "missing"}
		if src.Link(src, "f", "f2") == nil {
			names = append(names, "f", "f2")
		}
		if n, err := src.Node("other"); err == nil {
			if vfs.SetXattr(n, "user.a", []byte("x")) == nil {
				names = append(names, "other")
			}
			must(t, n.Close())
		}
		for _, name := range names {
			for _, lookFirst := range []bool{false, true} {
				o := plainOptions()
				o.LookFirst = lookFirst
				o.IgnoresXattr = func(x string) bool { return x != "user.a" }
				size, err := copyPlain(t, d, name, o)
				if !errors.Is(err, vfs.ErrNotPlain) || name == "long" && size < int64(len(o.Buf)) {
					t.Errorf("%s: CopyPlain = %d, %v, want %v", name, size, err, vfs.ErrNotPlain)
				}
				if _, err := vfs.Lstat(d, name); !errors.Is(err, fs.ErrNotExist) {
					t.Errorf("%s: something was made: %v", name, err)
				}
			}
		}
	}},
	{name: "CopyPlain leaves out the files of others", needs: vfs.CanCopyPlain, tree: "src/f 644 x", check: func(t *testing.T, d vfs.Dir) {
		attr := lstat(t, openDir(t, d, "src"), "f")
		o := plainOptions()
		o.Owned, o.UID, o.GID = true, attr.UID, attr.GID+1
		if _, err := copyPlain(t, d, "f", o); !errors.Is(err, vfs.ErrNotPlain) {
			t.Errorf("of another group: %v", err)
		}
		o.UID, o.GID = attr.UID+1, attr.GID
		if _, err := copyPlain(t, d, "f", o); !errors.Is(err, vfs.ErrNotPlain) {
			t.Errorf("of another user: %v", err)
		}
		o.UID = attr.UID
		_, err := copyPlain(t, d, "f", o)
		must(t, err)
	}, want: "f 644 x\nsrc/ 755\nsrc/f 644 x\n"},
	{name: "CopyPlain replaces nothing", needs: vfs.CanCopyPlain, tree: "src/f 644 new\nf 600 old", check: func(t *testing.T, d vfs.Dir) {
		_, err := copyPlain(t, d, "f", plainOptions())
		if !errors.Is(err, fs.ErrExist) || errors.As(err, new(*vfs.PartialError)) {
			t.Errorf("CopyPlain = %v, want %v", err, fs.ErrExist)
		}
	}, want: "f 600 old\nsrc/ 755\nsrc/f 644 new\n"},
	{name: "CopyPlain of a directory copies mode and modification time", needs: vfs.CanCopyPlain, tree: `
		src/d/ 750 @2001-01-01T00:00:00Z
		src/e/ 500 @2001-01-01T00:00:00Z
		src/f/ 777 @2001-01-01T00:00:00Z
	`, check: func(t *testing.T, d vfs.Dir) {
		src := openDir(t, d, "src")
		for name, mtime := range map[string]bool{"d": true, "e": true, "f": false} {
			o := emptyDirOptions(t, src)
			o.Dir.Mtime = mtime
			must(t, copyEmptyDir(d, src, name, o))
			if got := lstat(t, d, name).Mtime.Equal(lstat(t, src, name).Mtime); got != mtime {
				t.Errorf("%s: whether the modification time is kept is %v, want %v", name, got, mtime)
			}
		}
	}, want: "d/ 750\ne/ 500\nf/ 777\nsrc/ 755\nsrc/d/ 750\nsrc/e/ 500\nsrc/f/ 777\n"},
	{name: "CopyPlain of a directory leaves out what is not plain", needs: vfs.CanCopyPlain, tree: `
		src/d/
		src/file 644
		src/link -> d
		src/with-file/.f 644
		src/with-dir/d/
		src/set-id/ 2755
		src/sticky/ 1777
		src/early/ 755 @1960-01-01T00:00:00Z
	`, check: func(t *testing.T, d vfs.Dir) {
		src := openDir(t, d, "src")
		leavesOut := func(name string, change func(o *vfs.PlainOptions)) {
			t.Helper()
			o := emptyDirOptions(t, src)
			change(o)
			if err := copyEmptyDir(d, src, name, o); err != vfs.ErrNotPlain {
				t.Errorf("%s: CopyPlain = %v, want %v", name, err, vfs.ErrNotPlain)
			}
		}
		for _, name := range []string{"file", "link", "with-file", "with-dir", "set-id", "sticky", "early", "missing"} {
			leavesOut(name, func(*vfs.PlainOptions) {})
		}
		there := lstat(t, src, "d")
		leavesOut("d", func(o *vfs.PlainOptions) { o.Dir.Dev++ })
		leavesOut("d", func(o *vfs.PlainOptions) { o.Dir.Except = func(id vfs.ID) bool { return id == there.ID() } })
		leavesOut("d", func(o *vfs.PlainOptions) { o.Owned, o.UID, o.GID = true, there.UID+1, there.GID })
		leavesOut("d", func(o *vfs.PlainOptions) { o.Owned, o.UID, o.GID = true, there.UID, there.GID+1 })
		n, err := src.Node("d")
		must(t, err)
		if vfs.SetXattr(n, "user.a", nil) == nil {
			leavesOut("d", func(o *vfs.PlainOptions) {
				o.Dir.NoXattrs = true
				o.IgnoresXattr = func(string) bool { return false }
			})
		}
		must(t, n.Close())
		o := emptyDirOptions(t, src)
		o.Owned, o.UID, o.GID = true, there.UID, there.GID
		must(t, copyEmptyDir(d, src, "d", o))
		must(t, d.Rmdir("d"))
	}},
	{name: "CopyPlain of a directory replaces nothing", needs: vfs.CanCopyPlain, tree: "src/d/ 700\nd/ 755", check: func(t *testing.T, d vfs.Dir) {
		src := openDir(t, d, "src")
		if err := copyEmptyDir(d, src, "d", emptyDirOptions(t, src)); !errors.Is(err, fs.ErrExist) || errors.As(err, new(*vfs.PartialError)) {
			t.Errorf("CopyPlain = %v, want %v", err, fs.ErrExist)
		}
	}, want: "d/ 755\nsrc/ 755\nsrc/d/ 700\n"},
	{name: "QuickCheck compares what Lstat returns", needs: vfs.CanCopyPlain, tree: `
		f 644 @2001-01-01T00:00:00Z x
		src/f 644 @2001-01-01T00:00:00Z y
		src/mode 640 @2001-01-01T00:00:00Z x
		src/time 644 @2001-01-01T00:00:01Z x
		src/size 644 @2001-01-01T00:00:00Z xx
		src/dir/
		src/link -> f
		src/set-id 4755 @2001-01-01T00:00:00Z x
		src/missing 644 x
		mode 644 @2001-01-01T00:00:00Z x
		time 644 @2001-01-01T00:00:00Z x
		size 644 @2001-01-01T00:00:00Z x
		set-id 4755 @2001-01-01T00:00:00Z x
		alone 644 x
		dir/
		link -> f
	`, check: func(t *testing.T, d vfs.Dir) {
		src := openDir(t, d, "src")
		check := func(name string, o vfs.QuickCheckOptions) bool {
			o.IgnoresXattr = func(x string) bool { return x != "user.a" }
			size, equal := d.QuickCheck(src, name, &o)
			if equal && size != 1 {
				t.Errorf("%s: the size is %d", name, size)
			}
			return equal
		}
		for _, name := range []string{"mode", "time", "size", "set-id", "missing", "alone", "dir", "link", ".", "none"} {
			if check(name, vfs.QuickCheckOptions{}) {
				t.Errorf("%s: the files are said to be equal", name)
			}
		}
		strict := vfs.QuickCheckOptions{OneName: true, NoXattrs: true}
		if !check("f", vfs.QuickCheckOptions{}) || !check("f", strict) {
			t.Error("f: the files are said to differ")
		}
		for _, in := range []vfs.Dir{d, src} {
			if in.Link(in, "f", "f2") == nil {
				if check("f", vfs.QuickCheckOptions{OneName: true}) || !check("f", vfs.QuickCheckOptions{}) {
					t.Error("f, with another name")
				}
				must(t, in.Remove("f2", nil))
			}
			n, err := in.Node("f")
			if err != nil {
				continue
			}
			if vfs.SetXattr(n, "user.a", nil) == nil {
				if check("f", vfs.QuickCheckOptions{NoXattrs: true}) || !check("f", vfs.QuickCheckOptions{}) {
					t.Error("f, with an extended attribute")
				}
				must(t, vfs.RemoveXattr(n, "user.a"))
			}
			must(t, n.Close())
		}
	}},
}

// plainOptions returns options with which files that a test has just made count as plain.
func plainOptions() *vfs.PlainOptions {
	return &vfs.PlainOptions{
		ChangedBefore: vfs.StampOf(time.Now().Add(time.Hour)),
		Mtime:         true,
		IgnoresXattr:  func(string) bool { return true },
		Buf:           make([]byte, 100),
	}
}

// emptyDirOptions returns options with which empty directories of src count as plain.
func emptyDirOptions(t testing.TB, src vfs.Dir) *vfs.PlainOptions {
	o := plainOptions()
	o.Dir = &vfs.EmptyDirOptions{Dev: lstat(t, src, ".").Dev, Except: func(vfs.ID) bool { return false }, Mtime: true}
	return o
}

// copyPlain copies a file of the directory src of d to d.
func copyPlain(t testing.TB, d vfs.Dir, name string, o *vfs.PlainOptions) (int64, error) {
	t.Helper()
	return d.CopyPlain(openDir(t, d, "src"), name, o)
}

// copyEmptyDir copies a directory by CopyPlain.
func copyEmptyDir(d, src vfs.Dir, name string, o *vfs.PlainOptions) error {
	_, err := d.CopyPlain(src, name, o)
	return err
}
