// Package fstest tests implementations of vfs, and describes trees as text.
//
// [TestDir] holds every implementation of [vfs.Dir] to what vfs promises. [Fill] and
// [Tree] build and print trees. Only tests import this package.
package fstest

import (
	"errors"
	"io"
	"io/fs"
	"slices"
	"testing"

	"psync/internal/vfs"
)

// settable are the bits of a mode that Chmod sets.
const settable = fs.ModePerm | fs.ModeSetuid | fs.ModeSetgid | fs.ModeSticky

// provenance is an extended attribute by which macOS marks what a program has made.
const provenance = "com.apple.provenance"

// A promise is something that every implementation keeps.
type promise struct {
	name  string
	check func(t *testing.T, d vfs.Dir)
}

// TestDir tests an implementation of [vfs.Dir]. Each subtest calls new for an
// empty directory to write in, and closes it. A promise about an optional
// ability is skipped where the implementation does not have it. The tests hold
// for any user.
func TestDir(t *testing.T, new func(testing.TB) vfs.Dir) {
	for _, group := range [][]promise{
		createPromises(),
		filePromises(),
		openPromises(),
		listPromises(),
		linkPromises(),
		renamePromises(),
		removePromises(),
		attrPromises(),
		timePromises(),
		namePromises(),
		abilityPromises(),
		followPromises(),
		hardLinkPromises(),
		movePromises(),
		rewritePromises(),
		openCreatePromises(),
		nodePromises(),
		xattrPromises(),
		mknodPromises(),
	} {
		for _, p := range group {
			t.Run(p.name, func(t *testing.T) {
				d := new(t)
				t.Cleanup(func() { must(t, d.Close()) })
				p.check(t, d)
			})
		}
	}
}

// needs skips the test if d does not offer something.
func needs(t testing.TB, d vfs.Dir, caps vfs.Caps) {
	t.Helper()
	if !d.Caps().Has(caps) {
		t.Skip("not offered")
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
	must(t, writeFile(d, name, 0o644, data))
}

// want checks the contents of a file.
func want(t testing.TB, d vfs.Dir, name, data string) {
	t.Helper()
	got, err := readFile(d, name)
	must(t, err)
	if got != data {
		t.Errorf("%q holds %.100q (%d bytes), want %.100q (%d bytes)", name, got, len(got), data, len(data))
	}
}

// wantNames checks the names in a directory.
func wantNames(t testing.TB, d vfs.Dir, names ...string) {
	t.Helper()
	got, err := list(d)
	must(t, err)
	slices.Sort(names)
	if !slices.Equal(got, names) {
		t.Errorf("the directory holds %.500q, want %.500q", got, names)
	}
}

// wantError checks that err is about the entry called name and matches target,
// unless that is nil.
func wantError(t testing.TB, err error, name string, target error) {
	t.Helper()
	if err == nil {
		t.Error("no error")
		return
	}
	if pe, ok := errors.AsType[*fs.PathError](err); !ok {
		t.Errorf("error %q is not a *fs.PathError", err)
	} else if pe.Path != name {
		t.Errorf("error %q has the path %q, want %q", err, pe.Path, name)
	}
	if target != nil && !errors.Is(err, target) {
		t.Errorf("error %q does not match %q", err, target)
	}
}

// lstat returns the attributes of an entry.
func lstat(t testing.TB, d vfs.Dir, name string) vfs.Attr {
	t.Helper()
	a, err := d.Lstat(name)
	must(t, err)
	return a
}

// mkdir makes a directory and opens it until the test ends.
func mkdir(t testing.TB, d vfs.Dir, name string) vfs.Dir {
	t.Helper()
	must(t, d.Mkdir(name, 0o755))
	return openDir(t, d, name)
}

// openDir opens a directory until the test ends.
func openDir(t testing.TB, d vfs.Dir, name string) vfs.Dir {
	t.Helper()
	sub, err := d.OpenDir(name)
	must(t, err)
	t.Cleanup(func() { must(t, sub.Close()) })
	return sub
}

// open opens a file until the test ends.
func open(t testing.TB, d vfs.Dir, name string) vfs.File {
	t.Helper()
	f, err := d.Open(name)
	must(t, err)
	t.Cleanup(func() { must(t, f.Close()) })
	return f
}

// create makes a file and leaves it open until the test ends.
func create(t testing.TB, d vfs.Dir, name string) vfs.File {
	t.Helper()
	f, err := d.Create(name, 0o644)
	must(t, err)
	t.Cleanup(func() { must(t, f.Close()) })
	return f
}

// closed closes what was opened, and returns the error of doing both.
func closed(c io.Closer, err error) error {
	if err != nil {
		return err
	}
	return c.Close()
}
