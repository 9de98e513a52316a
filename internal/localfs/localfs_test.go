package localfs

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"psync/internal/testtmp"
	"psync/internal/vfs"
	"psync/internal/vfs/faultfs"
	"psync/internal/vfs/fstest"
	"psync/internal/vfs/hosttest"
	"psync/internal/vfs/suite"
)

func TestMain(m *testing.M) {
	Host{}.ClearUmask()
	os.Exit(testtmp.Run(m))
}

func openTemp(t testing.TB) vfs.Dir {
	t.Helper()
	d, err := Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	return d
}

func TestConformance(t *testing.T) {
	suite.TestDir(t, openTemp)
}

func TestSharedDir(t *testing.T) {
	suite.TestSharedDir(t, func(tb testing.TB) (d, other vfs.Dir) {
		path := tb.TempDir()
		d, err := Open(path)
		if err != nil {
			tb.Fatal(err)
		}
		if other, err = Open(path); err != nil {
			tb.Fatal(err)
		}
		return d, other
	})
}

func TestConformanceThroughWrapper(t *testing.T) {
	suite.TestDir(t, func(t testing.TB) vfs.Dir { return faultfs.New(openTemp(t), nil) })
}

// TestSwappedDirectoryIsNotFollowed replaces a directory by a link after it was opened.
func TestSwappedDirectoryIsNotFollowed(t *testing.T) {
	top := t.TempDir()
	mustDo(t, os.Mkdir(filepath.Join(top, "in"), 0o755), os.Mkdir(filepath.Join(top, "outside"), 0o755))
	root, err := Open(top)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	in, err := root.OpenDir("in", vfs.NoFollow)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	mustDo(t,
		os.Rename(filepath.Join(top, "in"), filepath.Join(top, "moved")),
		os.Symlink("outside", filepath.Join(top, "in")))

	f, err := in.OpenFile("f", vfs.Create, 0o644)
	if err != nil {
		t.Fatal(err)
	}
	f.Close()
	if _, err := os.Lstat(filepath.Join(top, "moved", "f")); err != nil {
		t.Errorf("the file is not in the directory that was opened: %v", err)
	}
	if _, err := os.Lstat(filepath.Join(top, "outside", "f")); !errors.Is(err, fs.ErrNotExist) {
		t.Error("the file went through the link")
	}
	if d, err := root.OpenDir("in", vfs.NoFollow); err == nil {
		d.Close()
		t.Error("OpenDir followed a link")
	}
}

// TestDeeperThanPathMax goes down further than any path can name.
func TestDeeperThanPathMax(t *testing.T) {
	d := openTemp(t)
	name := strings.Repeat("d", 200)
	for range 30 {
		if err := vfs.Mkdir(d, name, 0o755); err != nil {
			t.Fatal(err)
		}
		sub, err := d.OpenDir(name, vfs.NoFollow)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { sub.Close() })
		d = sub
	}
	f, err := d.OpenFile("f", vfs.Create, 0o644)
	if err != nil {
		t.Fatal(err)
	}
	f.Close()
	if _, err := vfs.Lstat(d, "f"); err != nil {
		t.Error(err)
	}
}

func TestOpeningDoesNotWaitForAFifo(t *testing.T) {
	d := openTemp(t)
	mkfifo(t, d, "fifo")
	mustDo(t, vfs.Symlink(d, "fifo", "link"))
	for name, open := range map[string]func() (vfs.File, error){
		"Open":       func() (vfs.File, error) { return d.OpenFile("fifo", vfs.ReadOnly, 0) },
		"ReadFollow": func() (vfs.File, error) { return d.OpenFile("link", vfs.ReadFollow, 0) },
		"ReadWrite":  func() (vfs.File, error) { return d.OpenFile("fifo", vfs.ReadWrite, 0) },
	} {
		f, err := open()
		if err != nil {
			continue // an error is as good as a file that shows what it is
		}
		if attr, err := vfs.Stat(f); err != nil || attr.Mode.IsRegular() {
			t.Errorf("%s: Stat of a fifo: %v, %v", name, attr.Mode, err)
		}
		f.Close()
	}
}

func mustDo(t testing.TB, errs ...error) {
	t.Helper()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
}

// mkfifo makes a fifo in the directory d.
func mkfifo(t testing.TB, d vfs.Dir, name string) {
	t.Helper()
	makeFifo(t, d.(*dir).fd, name)
}

func BenchmarkReadDir(b *testing.B) {
	d := openTemp(b)
	for i := range 1000 {
		f, err := d.OpenFile("file-with-a-usual-name-"+string(rune('a'+i%26))+strings.Repeat("x", i%50)+string(rune('0'+i/100)), vfs.Create, 0o644)
		if err == nil {
			f.Close()
		}
	}
	b.ReportAllocs()
	for b.Loop() {
		if err := d.ReadDir(func([]vfs.Entry) error { return nil }); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkLstat(b *testing.B) {
	d := openTemp(b)
	benchmarkAttr(b, d, func(name string) (vfs.Attr, error) { return vfs.Lstat(d, name) })
}

func BenchmarkStat(b *testing.B) {
	d := openTemp(b)
	benchmarkAttr(b, d, func(name string) (vfs.Attr, error) { return d.Statx(name, vfs.StatxFollow) })
}

func benchmarkAttr(b *testing.B, d vfs.Dir, attr func(name string) (vfs.Attr, error)) {
	b.Helper()
	fstest.Fill(b, d, "file 644")
	b.ReportAllocs()
	for b.Loop() {
		if _, err := attr("file"); err != nil {
			b.Fatal(err)
		}
	}
}

func TestUserOfThisHost(t *testing.T) {
	u := Host{}.Info().User
	groups, err := os.Getgroups()
	if err != nil {
		t.Skip(err)
	}
	if u.UID != os.Geteuid() || u.GID != os.Getegid() || !slices.Equal(u.Groups, groups) {
		t.Errorf("user %+v", u)
	}
}

func TestThisHost(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	mustDo(t, err)
	hosttest.TestHost(t, Host{}, dir)
}
