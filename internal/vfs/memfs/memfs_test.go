package memfs_test

import (
	"errors"
	"io/fs"
	"testing"
	"time"

	"psync/internal/vfs"
	"psync/internal/vfs/fstest"
	"psync/internal/vfs/hosttest"
	"psync/internal/vfs/memfs"
	"psync/internal/vfs/suite"
)

func closeDir(d vfs.Dir, err error) error {
	if err != nil {
		return err
	}
	return d.Close()
}

func closeFile(f vfs.File, err error) error {
	if err != nil {
		return err
	}
	return f.Close()
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestMem(t *testing.T) {
	suite.TestDir(t, func(t testing.TB) vfs.Dir { return memfs.New().TestRoot(t) })
}

func TestMemCountsOpenHandles(t *testing.T) {
	m := memfs.New()
	check := func(want int) {
		t.Helper()
		if got := m.Open(); got != want {
			t.Errorf("%d open handles, want %d", got, want)
		}
	}
	check(0)
	root := m.Root()
	check(1)
	f, err := root.OpenFile("f", vfs.Create, 0o644)
	must(t, err)
	check(2)
	if _, err := root.OpenFile("missing", vfs.ReadOnly, 0); err == nil {
		t.Error("a missing file was opened")
	}
	check(2)
	must(t, f.Close())
	must(t, root.Close())
	check(0)
}

func TestMemRefusesClosedHandles(t *testing.T) {
	root := memfs.New().Root()
	f, err := root.OpenFile("f", vfs.Create, 0o644)
	must(t, err)
	must(t, f.Close())
	_, statErr := vfs.Stat(f)
	closeErr := f.Close()
	must(t, root.Close())
	_, lstatErr := vfs.Lstat(root, "f")
	for name, err := range map[string]error{
		"Stat":      statErr,
		"Close":     closeErr,
		"Lstat":     lstatErr,
		"Dir.Close": root.Close(),
		"ReadDir":   root.ReadDir(func([]vfs.Entry) error { return nil }),
	} {
		if !errors.Is(err, fs.ErrClosed) {
			t.Errorf("%s on a closed handle: %v, want %v", name, err, fs.ErrClosed)
		}
	}
}

func TestMemWrittenFileCannotBeRead(t *testing.T) {
	root := memfs.New().TestRoot(t)
	w, err := root.OpenFile("f", vfs.Create, 0o644)
	must(t, err)
	if _, err := w.ReadAt(make([]byte, 1), 0); err == nil {
		t.Error("a file made for writing was read")
	}
	must(t, w.Close())
	r, err := root.OpenFile("f", vfs.ReadOnly, 0)
	must(t, err)
	if _, err := r.WriteAt([]byte("x"), 0); err == nil {
		t.Error("a file opened for reading was written")
	}
	must(t, r.Close())
}

func TestMemClockTicksPerOperation(t *testing.T) {
	m := memfs.New()
	root := m.TestRoot(t)
	start := m.Now()
	must(t, vfs.Mkdir(root, "d", 0o755))
	_, err := vfs.Lstat(root, "d")
	must(t, err)
	if got := m.Now().Sub(start); got != 2*time.Millisecond {
		t.Errorf("two operations took %v, want 2ms", got)
	}
	a, err := vfs.Lstat(root, "d")
	must(t, err)
	if want := start.Add(time.Millisecond); !a.Mtime.Equal(want) {
		t.Errorf("the first operation made an entry of %v, want %v", a.Mtime, want)
	}
}

func TestMemsAreDifferentDevices(t *testing.T) {
	one, two := memfs.New().TestRoot(t), memfs.New().TestRoot(t)
	a, err := vfs.Lstat(one, ".")
	must(t, err)
	b, err := vfs.Lstat(two, ".")
	must(t, err)
	if a.ID() == b.ID() {
		t.Error("the roots have the same identity")
	}
}

func TestMemOwnerTakesSetIDAway(t *testing.T) {
	root := memfs.New().TestRoot(t)
	fstest.Fill(t, root, "f 6755")
	must(t, vfs.Chown(vfs.In(root, "f"), 12, 34))
	a, err := vfs.Lstat(root, "f")
	must(t, err)
	if a.Mode != 0o755 || a.UID != 12 || a.GID != 34 {
		t.Errorf("the file is %+v, want owner 12:34 and mode 755", a)
	}
}

func TestMemRemovedDirectoryStaysEmpty(t *testing.T) {
	root := memfs.New().TestRoot(t)
	must(t, vfs.Mkdir(root, "d", 0o755))
	d, err := root.OpenDir("d", vfs.NoFollow)
	must(t, err)
	must(t, root.Rmdir("d"))
	if err := vfs.Mkdir(d, "sub", 0o755); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("error %v, want %v", err, fs.ErrNotExist)
	}
	must(t, d.Close())
}

func TestHost(t *testing.T) {
	h := memfs.NewHost(1, memfs.New())
	hosttest.TestHost(t, h, "/")
	if n := h.FS.Open(); n != 0 {
		t.Errorf("%d handles are still open", n)
	}
}
