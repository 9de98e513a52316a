package fstest

import (
	"testing"

	"psync/internal/vfs"
)

func linkPromises() []promise {
	return []promise{
		{"Link gives a file a second name", linkTwice},
		{"Link takes a file of another directory", linkAcross},
		{"Link does not follow a link", linkLink},
	}
}

// hardLink makes a hard link, or skips the test where there are none of such an entry.
func hardLink(t testing.TB, newDir, oldDir vfs.Dir, oldname, newname string) {
	t.Helper()
	needs(t, newDir, vfs.CanLink)
	err := newDir.Link(oldDir, oldname, newname)
	skipUnsupported(t, err)
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
	wantLinked(t, d, "a", d, "a", 1)
	hardLink(t, d, d, "a", "b")
	wantLinked(t, d, "a", d, "b", 2)
	must(t, d.Chmod("b", 0o600))
	hardLink(t, d, d, "b", "c")
	wantLinked(t, d, "a", d, "c", 3)
	must(t, d.Remove("a"))
	must(t, d.Rename("b", "a"))
	wantLinked(t, d, "a", d, "c", 2)
	put(t, d, "temp", "other")
	must(t, d.Rename("temp", "a"))
	want(t, d, "a", "other")
	want(t, d, "c", "contents")
	wantLinked(t, d, "c", d, "c", 1)
}

func linkAcross(t *testing.T, d vfs.Dir) {
	one, two := mkdir(t, d, "one"), mkdir(t, d, "two")
	put(t, one, "f", "contents")
	hardLink(t, two, one, "f", "g")
	wantLinked(t, one, "f", two, "g", 2)
	must(t, one.Remove("f"))
	want(t, two, "g", "contents")
}

func linkLink(t *testing.T, d vfs.Dir) {
	Fill(t, d, "file 644 contents\nto-file -> file\ndangling -> nowhere")
	for _, name := range []string{"to-file", "dangling"} {
		hardLink(t, d, d, name, "new "+name)
		wantLinked(t, d, name, d, "new "+name, 2)
	}
	wantLinked(t, d, "file", d, "file", 1)
}
