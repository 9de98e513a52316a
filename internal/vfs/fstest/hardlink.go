package fstest

import (
	"errors"
	"io/fs"
	"testing"

	"psync/internal/vfs"
)

func hardLinkPromises() []promise {
	return []promise{
		{"Link gives a file a second name", linkTwice},
		{"Link takes a file of another directory", linkAcross},
		{"Link refuses an existing name and leaves it alone", linkExisting},
		{"Link does not follow a link", linkLink},
		{"Link of a missing name is an error about the new one", linkMissing},
		{"Link refuses a directory", linkDir},
		{"Link takes a foreign directory for what it is", linkForeign},
	}
}

// link makes a hard link, or skips the test where there are none of such an entry.
func link(t testing.TB, newDir, oldDir vfs.Dir, oldname, newname string) {
	t.Helper()
	needs(t, newDir, vfs.CanLink)
	err := newDir.Link(oldDir, oldname, newname)
	if errors.Is(err, errors.ErrUnsupported) {
		t.Skip("unsupported:", err)
	}
	must(t, err)
}

// wantLinked checks that two names are of one entry with so many names.
func wantLinked(t testing.TB, d vfs.Dir, name string, other vfs.Dir, otherName string, nlink uint64) {
	t.Helper()
	a, b := lstat(t, d, name), lstat(t, other, otherName)
	if a != b || a.Nlink != nlink {
		t.Errorf("%q is %+v, %q is %+v; want one entry with %d names", name, a, otherName, b, nlink)
	}
}

func linkTwice(t *testing.T, d vfs.Dir) {
	put(t, d, "a", "contents")
	link(t, d, d, "a", "b")
	wantLinked(t, d, "a", d, "b", 2)
	wantNames(t, d, "a", "b")
	must(t, d.Chmod("b", 0o600))
	link(t, d, d, "b", "c")
	wantLinked(t, d, "a", d, "c", 3)
	must(t, d.Remove("a"))
	must(t, d.Rename("b", "a"))
	wantLinked(t, d, "a", d, "c", 2)
	put(t, d, "temp", "other")
	must(t, d.Rename("temp", "a"))
	want(t, d, "a", "other")
	want(t, d, "c", "contents")
	if got := lstat(t, d, "c").Nlink; got != 1 {
		t.Errorf("the file has %d names, want the last", got)
	}
}

func linkAcross(t *testing.T, d vfs.Dir) {
	one, two := mkdir(t, d, "one"), mkdir(t, d, "two")
	put(t, one, "f", "contents")
	link(t, two, one, "f", "g")
	wantLinked(t, one, "f", two, "g", 2)
	wantNames(t, one, "f")
	wantNames(t, two, "g")
	must(t, one.Remove("f"))
	want(t, two, "g", "contents")
}

func linkExisting(t *testing.T, d vfs.Dir) {
	needs(t, d, vfs.CanLink)
	Fill(t, d, "old 644 old\nfile 644 precious\ndir/\nlink -> file\ndangling -> nowhere")
	before := Tree(t, d, WithMtimes)
	for _, name := range []string{"file", "dir", "link", "dangling", "old"} {
		wantError(t, d.Link(d, "old", name), name, fs.ErrExist)
	}
	if after := Tree(t, d, WithMtimes); after != before {
		t.Errorf("before:\n%safter:\n%s", before, after)
	}
}

func linkLink(t *testing.T, d vfs.Dir) {
	Fill(t, d, "file 644 contents\nto-file -> file\ndangling -> nowhere")
	for _, name := range []string{"to-file", "dangling"} {
		link(t, d, d, name, "new "+name)
		wantLinked(t, d, name, d, "new "+name, 2)
	}
	if got := lstat(t, d, "file").Nlink; got != 1 {
		t.Errorf("the target has %d names, want 1", got)
	}
}

func linkMissing(t *testing.T, d vfs.Dir) {
	needs(t, d, vfs.CanLink)
	wantError(t, d.Link(d, "missing", "new"), "new", fs.ErrNotExist)
	wantNames(t, d)
}

func linkDir(t *testing.T, d vfs.Dir) {
	must(t, d.Mkdir("dir", 0o755))
	needs(t, d, vfs.CanLink)
	wantError(t, d.Link(d, "dir", "new"), "new", nil)
	wantNames(t, d, "dir")
}

func linkForeign(t *testing.T, d vfs.Dir) {
	put(t, d, "file", "contents")
	needs(t, d, vfs.CanLink)
	wantError(t, d.Link(foreignDir{d}, "file", "new"), "new", errors.ErrUnsupported)
	wantNames(t, d, "file")
}

// foreignDir is a directory of an implementation that nobody has heard of.
type foreignDir struct{ vfs.Dir }
