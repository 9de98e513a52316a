package fstest

import (
	"errors"
	"io/fs"
	"strings"
	"testing"

	"psync/internal/vfs"
)

func openPromises() []promise {
	return []promise{
		{"OpenDir opens a directory", openDirOpens},
		{"OpenDir opens nothing else", openDirRefuses},
		{"Open does not follow a link", openLink},
		{"an open directory keeps working when it is renamed", openDirRenamed},
		{"an open directory outlives its parent's handle", openDirOutlives},
		{"trees deeper than any path work", openDeep},
		{"OpenParent follows a directory that moves", openParentMoved},
	}
}

func openDirOpens(t *testing.T, d vfs.Dir) {
	sub := mkdir(t, d, "sub")
	put(t, sub, "f", "within")
	wantNames(t, d, "sub")
	wantNames(t, sub, "f")
	want(t, openDir(t, d, "sub"), "f", "within")
	if got, want := lstat(t, sub, ".").ID(), lstat(t, d, "sub").ID(); got != want {
		t.Errorf(`Lstat(".") has identity %v, by name it is %v`, got, want)
	}
}

func openDirRefuses(t *testing.T, d vfs.Dir) {
	put(t, d, "file", "")
	must(t, d.Mkdir("dir", 0o755))
	must(t, d.Symlink("dir", "link"))
	must(t, d.Symlink("nowhere", "dangling"))
	wantError(t, closed(d.OpenDir("missing")), "missing", fs.ErrNotExist)
	for _, name := range []string{"file", "link", "dangling"} {
		wantError(t, closed(d.OpenDir(name)), name, nil)
	}
}

func openLink(t *testing.T, d vfs.Dir) {
	put(t, d, "file", "")
	must(t, d.Symlink("file", "link"))
	must(t, d.Symlink("nowhere", "dangling"))
	wantError(t, closed(d.Open("missing")), "missing", fs.ErrNotExist)
	for _, name := range []string{"link", "dangling"} {
		wantError(t, closed(d.Open(name)), name, nil)
	}
}

func openDirRenamed(t *testing.T, d vfs.Dir) {
	sub := mkdir(t, d, "old")
	must(t, d.Rename("old", "new"))
	put(t, sub, "f", "late")
	want(t, openDir(t, d, "new"), "f", "late")
}

func openDirOutlives(t *testing.T, d vfs.Dir) {
	must(t, d.Mkdir("parent", 0o755))
	parent, err := d.OpenDir("parent")
	must(t, err)
	child := mkdir(t, parent, "child")
	must(t, parent.Close())
	put(t, child, "f", "late")
	want(t, child, "f", "late")
}

func openDeep(t *testing.T, d vfs.Dir) {
	name := strings.Repeat("n", 250)
	const depth = 20 // 5000 bytes of path, where systems end at 4096 or before
	at := d
	for range depth {
		at = mkdir(t, at, name)
	}
	put(t, at, "f", "deep")
	want(t, at, "f", "deep")
	if got := strings.Count(Tree(t, d), "\n"); got != depth+1 {
		t.Errorf("the tree has %d entries, want %d", got, depth+1)
	}
}

func openParentMoved(t *testing.T, d vfs.Dir) {
	sub := mkdir(t, mkdir(t, d, "here"), "sub")
	there := mkdir(t, d, "there")
	needs(t, d, vfs.CanOpenParent)
	wantParent := func(name string) {
		t.Helper()
		up, err := sub.OpenParent()
		if errors.Is(err, errors.ErrUnsupported) {
			t.Skip("directories cannot tell their parents")
		}
		must(t, err)
		defer up.Close()
		if got, want := lstat(t, up, ".").ID(), lstat(t, d, name).ID(); got != want {
			t.Errorf("the parent is %v, want that of %s, %v", got, name, want)
		}
	}
	wantParent("here")
	here := openDir(t, d, "here")
	if here.Move("sub", there, "sub") == nil {
		wantParent("there")
	}
}
