package suite

import (
	"errors"
	"io"
	"io/fs"
	"slices"
	"sync"
	"testing"
	"time"

	"psync/internal/vfs"
	"psync/internal/vfs/fstest"
)

// needs skips the test if d does not offer caps.
func needs(t testing.TB, d vfs.Dir, caps vfs.Caps) {
	t.Helper()
	if !d.Caps().Has(caps) {
		t.Skip("not offered")
	}
}

// skipUnsupported skips the test if err says that something is unsupported.
func skipUnsupported(t testing.TB, err error) {
	t.Helper()
	if errors.Is(err, errors.ErrUnsupported) {
		t.Skip("unsupported:", err)
	}
}

// must ends the test if there is an error.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// put makes a file.
func put(t testing.TB, d vfs.Dir, name, data string) {
	t.Helper()
	must(t, fstest.WriteFile(d, name, 0o644, data))
}

// want checks the contents of a file.
func want(t testing.TB, d vfs.Dir, name, data string) {
	t.Helper()
	got, err := fstest.ReadFile(d, name)
	must(t, err)
	if got != data {
		t.Errorf("%q holds %.100q (%d bytes), want %.100q (%d bytes)", name, got, len(got), data, len(data))
	}
}

// wantNames checks the names in a directory.
func wantNames(t testing.TB, d vfs.Dir, names ...string) {
	t.Helper()
	got, err := fstest.Names(d)
	must(t, err)
	slices.Sort(names)
	if !slices.Equal(got, names) {
		t.Errorf("the directory holds %.500q, want %.500q", got, names)
	}
}

// wantTree checks that a tree is the same as before.
func wantTree(t testing.TB, d vfs.Dir, before string, opts ...fstest.TreeOption) {
	t.Helper()
	if after := fstest.Tree(t, d, opts...); after != before {
		t.Errorf("before:\n%safter:\n%s", before, after)
	}
}

// wantPathError checks that err is a *fs.PathError, and returns it.
func wantPathError(t testing.TB, err error, name string) *fs.PathError {
	t.Helper()
	pe, ok := errors.AsType[*fs.PathError](err)
	if !ok {
		t.Errorf("%q: error %v is not a *fs.PathError", name, err)
	}
	return pe
}

// wantError checks that err is about the entry called name, and matches one of the targets
// unless there are none.
func wantError(t testing.TB, err error, name string, targets ...error) {
	t.Helper()
	if pe := wantPathError(t, err, name); pe != nil && pe.Path != name {
		t.Errorf("error %q has the path %q, want %q", err, pe.Path, name)
	}
	matches := func(target error) bool { return errors.Is(err, target) }
	if len(targets) > 0 && !slices.ContainsFunc(targets, matches) {
		t.Errorf("error %v matches none of %q", err, targets)
	}
}

// wantTimes checks the times of an entry.
func wantTimes(t testing.TB, d vfs.Dir, name string, atime, mtime time.Time) {
	t.Helper()
	if a := lstat(t, d, name); !a.Atime.Equal(atime) || !a.Mtime.Equal(mtime) {
		t.Errorf("%q has times %v and %v, want %v and %v", name, a.Atime.UTC(), a.Mtime.UTC(), atime.UTC(), mtime.UTC())
	}
}

// lstat returns the attributes of an entry.
func lstat(t testing.TB, d vfs.Dir, name string) vfs.Attr {
	t.Helper()
	a, err := vfs.Lstat(d, name)
	must(t, err)
	return a
}

// lasting returns c, which was opened, and closes it when the test ends.
func lasting[T io.Closer](t testing.TB, c T, err error) T {
	t.Helper()
	must(t, err)
	t.Cleanup(func() { must(t, c.Close()) })
	return c
}

// mkdir makes and opens a directory, and closes it when the test ends.
func mkdir(t testing.TB, d vfs.Dir, name string) vfs.Dir {
	t.Helper()
	must(t, vfs.Mkdir(d, name, 0o755))
	return openDir(t, d, name)
}

// openDir opens a directory and closes it when the test ends.
func openDir(t testing.TB, d vfs.Dir, name string) vfs.Dir {
	t.Helper()
	sub, err := d.OpenDir(name, vfs.NoFollow)
	return lasting(t, sub, err)
}

// open opens a file and closes it when the test ends.
func open(t testing.TB, d vfs.Dir, name string) vfs.File {
	t.Helper()
	f, err := d.OpenFile(name, vfs.ReadOnly, 0)
	return lasting(t, f, err)
}

// create makes a file and closes it when the test ends.
func create(t testing.TB, d vfs.Dir, name string) vfs.File {
	t.Helper()
	f, err := d.OpenFile(name, vfs.Create, 0o644)
	return lasting(t, f, err)
}

// write writes to a file.
func write(t testing.TB, f vfs.File, data string, off int64) {
	t.Helper()
	if n, err := f.WriteAt([]byte(data), off); n != len(data) || err != nil {
		t.Fatalf("WriteAt = %d, %v; want %d, nil", n, err, len(data))
	}
}

// concurrency is how many goroutines do something at once.
const concurrency = 16

// concurrently calls f with each number below concurrency, all at once.
func concurrently(f func(i int)) {
	var wg sync.WaitGroup
	for i := range concurrency {
		wg.Go(func() { f(i) })
	}
	wg.Wait()
}

// closed closes what was opened, and returns the error of opening or closing it.
func closed(c io.Closer, err error) error {
	if err != nil {
		return err
	}
	return c.Close()
}
