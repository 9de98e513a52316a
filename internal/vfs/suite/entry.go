package suite

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"psync/internal/vfs"
	"psync/internal/vfs/fstest"
)

// entryRules test making entries.
var entryRules = []rule{
	{name: "Create and Mkdir give the mode asked for", check: func(t *testing.T, d vfs.Dir) {
		for _, perm := range []fs.FileMode{0, 0o200, 0o300, 0o444, 0o555, 0o600, 0o640, 0o666, 0o700, 0o750, 0o777} {
			f, err := d.OpenFile("file", vfs.Create, perm)
			must(t, err)
			write(t, f, "x", 0)
			a, err := vfs.Stat(f)
			must(t, errors.Join(err, f.Close(), vfs.Mkdir(d, "dir", perm)))
			if b := lstat(t, d, "file"); a.Mode != perm || b.Mode != perm {
				t.Errorf("the open file has mode %v, the entry %v, want %v", a.Mode, b.Mode, perm)
			}
			if a := lstat(t, d, "dir"); !a.Mode.IsDir() || a.Mode.Perm() != perm {
				t.Errorf("the directory has mode %v, want %v", a.Mode, perm)
			}
			must(t, errors.Join(d.Remove("file", nil), d.Rmdir("dir")))
		}
	}},
	{name: "many may create files at once", check: func(t *testing.T, d vfs.Dir) {
		name := func(i, j int) string { return fmt.Sprintf("%d-%d", i, j) }
		const files = 25
		var names []string
		for i := range concurrency {
			for j := range files {
				names = append(names, name(i, j))
			}
		}
		concurrently(func(i int) {
			for j := range files {
				if err := fstest.WriteFile(d, name(i, j), 0o644, name(i, j)); err != nil {
					t.Error(err)
				}
			}
		})
		wantNames(t, d, names...)
		for _, name := range names {
			want(t, d, name, name)
		}
	}},
	{name: "one of many creates a name", check: func(t *testing.T, d vfs.Dir) {
		var winners atomic.Int32
		concurrently(func(int) {
			err := closed(d.OpenFile("f", vfs.Create, 0o644))
			switch {
			case err == nil:
				winners.Add(1)
			case !errors.Is(err, fs.ErrExist):
				t.Error(err)
			}
		})
		if n := winners.Load(); n != 1 {
			t.Errorf("%d of %d created the file, want 1", n, concurrency)
		}
	}},
	{name: "Readlink returns the target that Symlink was given", check: func(t *testing.T, d vfs.Dir) {
		for _, target := range []string{
			"file", "../..", "/an/absolute/path", ".", "dir/", "a//b", " ", "-rf", "two\nlines", "\xff\xfe", "ä",
			strings.Repeat("0123456789", 100),
		} {
			err := vfs.Symlink(d, target, "link")
			if notUTF8(err) {
				continue
			}
			must(t, err)
			got, err := d.Readlink("link")
			must(t, err)
			if a := lstat(t, d, "link"); got != target || a.Size != int64(len(target)) || a.Mode.Type() != fs.ModeSymlink {
				t.Errorf("the link to %q is %+v and leads to %q", target, a, got)
			}
			must(t, d.Remove("link", nil))
		}
	}},
	{name: "Symlink refuses a target with NUL", check: func(t *testing.T, d vfs.Dir) {
		wantError(t, vfs.Symlink(d, "cut\x00off", "link"), "link")
		wantNames(t, d)
	}},
	{name: "Mknod makes fifos, sockets and, for those who may, devices", check: func(t *testing.T, d vfs.Dir) {
		for typ, dev := range map[fs.FileMode]uint64{ // any system may have a device of that number, whatever it is
			fs.ModeNamedPipe: 0, fs.ModeSocket: 0, fs.ModeDevice: 0x103, fs.ModeDevice | fs.ModeCharDevice: 0x103,
		} {
			t.Run(typ.String(), func(t *testing.T) {
				for _, perm := range []fs.FileMode{0, 0o600, 0o644, 0o777} {
					mknod(t, d, "special", typ|perm, dev)
					if a := lstat(t, d, "special"); a.Mode != typ|perm || a.Rdev != dev {
						t.Errorf("mode %v and device %#x, want %v and %#x", a.Mode, a.Rdev, typ|perm, dev)
					}
					must(t, d.Remove("special", nil))
				}
			})
		}
	}},
	{name: "Make makes nothing of other types", needs: vfs.CanMknod, check: func(t *testing.T, d vfs.Dir) {
		for _, typ := range []fs.FileMode{0, fs.ModeIrregular} {
			wantError(t, vfs.Mknod(d, "new", typ|0o600, 0), "new")
		}
		wantNames(t, d)
	}},
	{name: "entries may have unusual names", check: func(t *testing.T, d vfs.Dir) {
		for what, name := range map[string]string{
			"255 bytes": strings.Repeat("n", 255), "newline": "two\nlines", "space": " ", "dash": "-rf", "dots": "..f",
			"metacharacters": `\*?"`, "beyond ASCII": "名前", "not UTF-8": "\xff\xfe",
		} {
			sub := mkdir(t, d, what)
			t.Run(what, func(t *testing.T) { useName(t, sub, name) })
		}
	}},
}

// mknod makes an entry, or skips the test if the system has no entries of its type or this user may not make one.
func mknod(t testing.TB, d vfs.Dir, name string, mode fs.FileMode, dev uint64) {
	t.Helper()
	needs(t, d, vfs.CanMknod)
	if err := vfs.Mknod(d, name, mode, dev); err != nil {
		wantError(t, err, name, errors.ErrUnsupported, fs.ErrPermission)
		wantNames(t, d)
		t.Skip(err)
	}
}

// notUTF8 reports whether err is the error of a system that refuses a name that is not UTF-8.
func notUTF8(err error) bool {
	return errors.Is(err, syscall.EILSEQ) || errors.Is(err, syscall.EINVAL)
}

// useName checks that entries can be called name.
func useName(t *testing.T, d vfs.Dir, name string) {
	err := fstest.WriteFile(d, name, 0o644, "contents")
	if notUTF8(err) {
		t.Skip("the system refuses the name:", err)
	}
	must(t, err)
	wantNames(t, d, name)
	want(t, d, name, "contents")
	must(t, errors.Join(vfs.Chmod(vfs.In(d, name), 0o600), d.Rename(name, nil, "temp", nil), d.Rename("temp", nil, name, nil), d.Remove(name, nil)))
	must(t, vfs.Symlink(d, "target", name))
	if target, err := d.Readlink(name); target != "target" || err != nil {
		t.Errorf("Readlink = %q, %v", target, err)
	}
	must(t, d.Remove(name, nil))
	put(t, mkdir(t, d, name), name, "within")
	want(t, openDir(t, d, name), name, "within")
	wantNames(t, d, name)
}
