package fstest

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"psync/internal/vfs"
)

func makePromises() []promise {
	return []promise{
		{"Create gives the mode asked for", createMode},
		{"Mkdir gives the mode asked for", mkdirMode},
		{"many may create files at once", createConcurrently},
		{"one of many creates a name", createOnce},
		{"Readlink returns the target that Symlink was given", linkTargets},
		{"Symlink refuses a target with NUL", linkNUL},
		{"Mknod makes fifos, sockets and, for those who may, devices", mknodMakes},
		{"Mknod makes nothing of other types", mknodOther},
		{"OpenCreate and Rewrite change nothing by themselves", openKeeps},
	}
}

func createMode(t *testing.T, d vfs.Dir) {
	for _, perm := range []fs.FileMode{0, 0o200, 0o444, 0o600, 0o640, 0o666, 0o777} {
		name := fmt.Sprintf("%03o", perm)
		f, err := d.Create(name, perm)
		lasting(t, f, err)
		write(t, f, "x", 0)
		a, err := f.Stat()
		must(t, err)
		if b := lstat(t, d, name); a.Mode != perm || b.Mode != perm {
			t.Errorf("the open file has mode %v, the entry %v, want %v", a.Mode, b.Mode, perm)
		}
	}
}

func mkdirMode(t *testing.T, d vfs.Dir) {
	for _, perm := range []fs.FileMode{0, 0o300, 0o555, 0o700, 0o750, 0o777} {
		name := fmt.Sprintf("%03o", perm)
		must(t, d.Mkdir(name, perm))
		if a := lstat(t, d, name); !a.Mode.IsDir() || a.Mode.Perm() != perm {
			t.Errorf("the directory has mode %v, want %v", a.Mode, perm)
		}
		must(t, d.Rmdir(name))
	}
}

func createConcurrently(t *testing.T, d vfs.Dir) {
	const workers, files = 16, 25
	var names []string
	var wg sync.WaitGroup
	for i := range workers {
		for j := range files {
			names = append(names, fmt.Sprintf("%d-%d", i, j))
		}
		mine := names[i*files:]
		wg.Go(func() {
			for _, name := range mine {
				if err := writeFile(d, name, 0o644, name); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	wantNames(t, d, names...)
	for _, name := range names {
		want(t, d, name, name)
	}
}

func createOnce(t *testing.T, d vfs.Dir) {
	var winners atomic.Int32
	var wg sync.WaitGroup
	for range 16 {
		wg.Go(func() {
			err := closed(d.Create("f", 0o644))
			switch {
			case err == nil:
				winners.Add(1)
			case !errors.Is(err, fs.ErrExist):
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if n := winners.Load(); n != 1 {
		t.Errorf("%d of 16 created the file, want 1", n)
	}
}

func linkTargets(t *testing.T, d vfs.Dir) {
	for _, target := range []string{
		"file", "../..", "/an/absolute/path", ".", "dir/", "a//b", " ", "-rf", "two\nlines", "\xff\xfe", "ä",
		strings.Repeat("0123456789", 100),
	} {
		err := d.Symlink(target, "link")
		if notUTF8(err) {
			continue
		}
		must(t, err)
		got, err := d.Readlink("link")
		must(t, err)
		if a := lstat(t, d, "link"); got != target || a.Size != int64(len(target)) || a.Mode.Type() != fs.ModeSymlink {
			t.Errorf("the link to %q is %+v and leads to %q", target, a, got)
		}
		must(t, d.Remove("link"))
	}
}

func linkNUL(t *testing.T, d vfs.Dir) {
	wantError(t, d.Symlink("cut\x00off", "link"), "link")
	wantNames(t, d)
}

// mknod makes an entry, or skips the test where there are none of its type, or not
// for this user.
func mknod(t testing.TB, d vfs.Dir, name string, mode fs.FileMode, dev uint64) {
	t.Helper()
	needs(t, d, vfs.CanMknod)
	if err := d.Mknod(name, mode, dev); err != nil {
		wantError(t, err, name, errors.ErrUnsupported, fs.ErrPermission)
		wantNames(t, d)
		t.Skip(err)
	}
}

func mknodMakes(t *testing.T, d vfs.Dir) {
	for _, tt := range []struct {
		typ fs.FileMode
		dev uint64 // any system may have one of that number, of whatever device
	}{
		{fs.ModeNamedPipe, 0},
		{fs.ModeSocket, 0},
		{fs.ModeDevice | fs.ModeCharDevice, 0x103},
		{fs.ModeDevice, 0x103},
	} {
		t.Run(tt.typ.String(), func(t *testing.T) {
			for _, perm := range []fs.FileMode{0, 0o600, 0o644, 0o777} {
				mknod(t, d, "special", tt.typ|perm, tt.dev)
				if a := lstat(t, d, "special"); a.Mode != tt.typ|perm || a.Rdev != tt.dev {
					t.Errorf("mode %v and device %#x, want %v and %#x", a.Mode, a.Rdev, tt.typ|perm, tt.dev)
				}
				must(t, d.Remove("special"))
			}
		})
	}
}

func mknodOther(t *testing.T, d vfs.Dir) {
	needs(t, d, vfs.CanMknod)
	for _, typ := range []fs.FileMode{0, fs.ModeDir, fs.ModeSymlink, fs.ModeIrregular} {
		wantError(t, d.Mknod("new", typ|0o600, 0), "new")
	}
	wantNames(t, d)
}

func openKeeps(t *testing.T, d vfs.Dir) {
	Fill(t, d, "f 640 @2001-02-03T04:05:06Z contents")
	for _, tt := range []struct {
		name  string
		needs vfs.Caps
		open  func() (vfs.File, error)
	}{
		{"OpenCreate", vfs.CanOpenCreate, func() (vfs.File, error) { return d.OpenCreate("f", 0o600) }},
		{"Rewrite", vfs.CanRewrite, func() (vfs.File, error) { return d.Rewrite("f") }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			needs(t, d, tt.needs)
			before := lstat(t, d, "f")
			f, err := tt.open()
			skipUnsupported(t, err)
			lasting(t, f, err)
			if a, err := f.Stat(); err != nil || a != before || lstat(t, d, "f") != before {
				t.Errorf("Stat = %+v, %v; want %+v", a, err, before)
			}
			want(t, d, "f", "contents")
		})
	}
}
