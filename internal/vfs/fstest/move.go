package fstest

import (
	"errors"
	"testing"

	"psync/internal/vfs"
)

func movePromises() []promise {
	return []promise{
		{"Move gives an entry to another directory", moveMoves},
		{"Move within a directory renames", moveWithin},
		{"Move replaces a file, or a link and not its target", moveReplaces},
		{"Move does not replace a directory by something else", moveOntoDir},
		{"Move does not put a directory into itself", moveIntoItself},
		{"a link in a moved directory leads on from there", moveLinks},
		{"Move takes a foreign directory for what it is", moveForeign},
	}
}

func moveMoves(t *testing.T, d vfs.Dir) {
	needs(t, d, vfs.CanMove)
	to := mkdir(t, d, "to")
	Fill(t, d, "file 600 contents\ndir/f 644 within\nlink -> file")
	for _, name := range []string{"file", "dir", "link"} {
		before := lstat(t, d, name)
		must(t, d.Move(name, to, "new "+name))
		if after := lstat(t, to, "new "+name); after.ID() != before.ID() || after.Mode != before.Mode {
			t.Errorf("%s: before %+v, after %+v", name, before, after)
		}
	}
	wantNames(t, d, "to")
	wantNames(t, to, "new file", "new dir", "new link")
	want(t, to, "new file", "contents")
	want(t, openDir(t, to, "new dir"), "f", "within")
}

func moveWithin(t *testing.T, d vfs.Dir) {
	needs(t, d, vfs.CanMove)
	put(t, d, "a", "contents")
	must(t, d.Move("a", d, "b"))
	wantNames(t, d, "b")
	want(t, d, "b", "contents")
	must(t, d.Move("b", d, "b"))
	want(t, d, "b", "contents")
}

func moveReplaces(t *testing.T, d vfs.Dir) {
	needs(t, d, vfs.CanMove)
	Fill(t, d, "target 644 target\nto/file 644 old\nto/link -> ../target")
	to := openDir(t, d, "to")
	for _, name := range []string{"file", "link"} {
		put(t, d, "temp", "new")
		must(t, d.Move("temp", to, name))
		want(t, to, name, "new")
	}
	wantNames(t, to, "file", "link")
	wantNames(t, d, "target", "to")
	want(t, d, "target", "target")
}

func moveOntoDir(t *testing.T, d vfs.Dir) {
	needs(t, d, vfs.CanMove)
	Fill(t, d, "file 644 contents\nlink -> file\ndir/\nto/file 644 precious\nto/dir/\nto/full/f 644")
	to := openDir(t, d, "to")
	before := Tree(t, d, WithMtimes)
	for _, move := range [][2]string{{"file", "dir"}, {"link", "dir"}, {"dir", "file"}, {"dir", "full"}, {"file", "full"}} {
		wantError(t, d.Move(move[0], to, move[1]), move[0], nil)
	}
	if after := Tree(t, d, WithMtimes); after != before {
		t.Errorf("before:\n%safter:\n%s", before, after)
	}
}

func moveIntoItself(t *testing.T, d vfs.Dir) {
	needs(t, d, vfs.CanMove)
	a := mkdir(t, d, "a")
	b := mkdir(t, a, "b")
	for _, to := range []vfs.Dir{a, b} {
		wantError(t, d.Move("a", to, "new"), "a", nil)
	}
	wantNames(t, d, "a")
	wantNames(t, a, "b")
	wantNames(t, b)
}

func moveLinks(t *testing.T, d vfs.Dir) {
	needs(t, d, vfs.CanFollow)
	needs(t, d, vfs.CanMove)
	Fill(t, d, "file 644 here\nto/file 644 there\ndir/link -> ../file")
	dir, to := openDir(t, d, "dir"), openDir(t, d, "to")
	must(t, d.Move("dir", to, "dir"))
	got, err := dir.Stat("link")
	must(t, err)
	if got.ID() != lstat(t, to, "file").ID() {
		t.Errorf("the link leads to %+v, not to its new neighbour", got)
	}
}

func moveForeign(t *testing.T, d vfs.Dir) {
	put(t, d, "file", "contents")
	to := mkdir(t, d, "to")
	needs(t, d, vfs.CanMove)
	wantError(t, d.Move("file", foreignDir{to}, "new"), "file", errors.ErrUnsupported)
	wantNames(t, d, "file", "to")
	wantNames(t, to)
}
