// Package hosttest holds every implementation of vfs.Host to what vfs promises. Only tests import this package.
package hosttest

import (
	"errors"
	"io/fs"
	"strings"
	"testing"

	"psync/internal/vfs"
	"psync/internal/vfs/fstest"
)

// TestHost holds an implementation of [vfs.Host] to what vfs promises. dir is the absolute path of an empty
// directory, without symbolic links.
func TestHost(t *testing.T, h vfs.Host, dir string) {
	d, err := h.Open(dir, vfs.OpenOptions{})
	must(t, err)
	defer d.Close()
	fstest.Fill(t, d, "a/b/c/f 644 text\na/link -> b\nfile-link -> a/b/c/f\ndangling -> nowhere\nother/")
	at := func(name string) string { return strings.TrimSuffix(dir, "/") + "/" + name }
	for name, want := range map[string]fs.FileMode{"a": fs.ModeDir, "a/link/c": fs.ModeDir, "a/link/c/f": 0, "file-link": 0, "a/link/../../other": fs.ModeDir} {
		if got, err := h.Stat(at(name), vfs.Follow); err != nil || got.Mode.Type() != want {
			t.Errorf("Stat(%s): %v, %v; want %v", name, got.Mode, err, want)
		}
	}
	for name, want := range map[string]fs.FileMode{"a/link": fs.ModeSymlink, "dangling": fs.ModeSymlink, "a/link/c": fs.ModeDir, "a/link/.": fs.ModeDir} {
		if got, err := h.Stat(at(name), vfs.NoFollow); err != nil || got.Mode.Type() != want {
			t.Errorf("Stat(%s, NoFollow): %v, %v; want %v", name, got.Mode, err, want)
		}
	}
	_, err = h.Stat(at("dangling"), vfs.Follow)
	wantError(t, err, at("dangling"), fs.ErrNotExist)
	_, err = h.Stat(at("missing"), vfs.NoFollow)
	wantError(t, err, at("missing"), fs.ErrNotExist)
	if got, err := h.Resolve(at("a/link/../link/c")); err != nil || got != at("a/b/c") {
		t.Errorf("Resolve = %q, %v", got, err)
	}
	for _, tt := range []struct {
		inner, outer string
		inside       bool
	}{{"a/b", "a", true}, {"a", "a", true}, {"a/link/c", "a/b", true}, {"other", "a", false}, {"a", "a/b", false}} {
		routes, got, err := h.Inside(at(tt.inner), at(tt.outer))
		if err != nil || got != tt.inside || len(routes) > 0 != tt.inside {
			t.Errorf("Inside(%s, %s) = %q, %v, %v; want %v", tt.inner, tt.outer, routes, got, err, tt.inside)
		}
	}
	testOpen(t, h, d, at)
	testIdentity(t, h, at("a/b/c"))
	testIdentity(t, h, at("a/link/c"))
}

// testIdentity compares the identity of a directory that is opened by a path with that of what the path leads to.
func testIdentity(t *testing.T, h vfs.Host, path string) {
	d, err := h.Open(path, vfs.OpenOptions{Trusted: true, Insecure: true})
	must(t, err)
	defer d.Close()
	there, err := h.Stat(path, vfs.Follow)
	must(t, err)
	if opened := lstat(t, d, "."); opened.ID() != there.ID() {
		t.Errorf("%s is %v when opened, and %v by its path", path, opened.ID(), there.ID())
	}
}

// testOpen makes directories by path.
func testOpen(t *testing.T, h vfs.Host, d vfs.Dir, at func(string) string) {
	for _, tt := range []struct {
		name  string
		o     vfs.OpenOptions
		err   error
		makes string
	}{
		{"new", vfs.OpenOptions{Trusted: true}, fs.ErrNotExist, ""},
		{"new", vfs.OpenOptions{Trusted: true, Mkdir: true}, nil, "new"},
		{"x/y", vfs.OpenOptions{Trusted: true, Mkdir: true}, fs.ErrNotExist, ""},
		{"x/y", vfs.OpenOptions{Trusted: true, MkdirAll: true}, nil, "x"},
	} {
		tt.o.Perm = 0o700
		sub, err := h.Open(at(tt.name), tt.o)
		if tt.err != nil {
			wantError(t, err, strings.TrimSuffix(at(tt.name), "/y"), tt.err)
			continue
		}
		must(t, err)
		must(t, sub.Close())
		if got := lstat(t, d, tt.makes).Mode; got != fs.ModeDir|0o700 {
			t.Errorf("%s has the mode %v", tt.makes, got)
		}
	}
	if info := h.Info(); info.User.UID < 0 || info.System == "" {
		t.Errorf("Info = %+v", info)
	}
}

// must ends the test if there is an error.
func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// wantError checks that err is about path, and matches target.
func wantError(t *testing.T, err error, path string, target error) {
	t.Helper()
	if pe, ok := errors.AsType[*fs.PathError](err); !ok || pe.Path != path || !errors.Is(err, target) {
		t.Errorf("%s: error %v, want %v", path, err, target)
	}
}

// lstat returns the attributes of an entry.
func lstat(t *testing.T, d vfs.Dir, name string) vfs.Attr {
	t.Helper()
	a, err := vfs.Lstat(d, name)
	must(t, err)
	return a
}
