package suite

import (
	"errors"
	"io/fs"
	"testing"

	"psync/internal/vfs"
	"psync/internal/vfs/fstest"
)

// linkRules test hard links, and following symbolic links.
var linkRules = []rule{
	{name: "Link gives a file another name", needs: vfs.CanLink, tree: "a 644 contents", check: func(t *testing.T, d vfs.Dir) {
		nlink := func(want uint64) {
			t.Helper()
			if a := lstat(t, d, "a"); a.Nlink != want {
				t.Errorf("the file has %d names, want %d", a.Nlink, want)
			}
		}
		nlink(1)
		err := d.Link(d, "a", "b")
		skipUnsupported(t, err)
		must(t, errors.Join(err, vfs.Chmod(vfs.In(d, "b"), 0o600), d.Link(d, "b", "c")))
		nlink(3)
		wantTree(t, d, "a 600 contents\nb (= a)\nc (= a)\n", fstest.WithLinks)
		must(t, errors.Join(d.Remove("a", nil), d.Rename("b", nil, "a", nil)))
		nlink(2)
		put(t, d, "temp", "other")
		must(t, errors.Join(d.Rename("temp", nil, "c", nil)))
		nlink(1)
	}, want: "a 600 contents\nc 644 other\n"},
	{name: "Link takes a file of another directory", needs: vfs.CanLink, tree: "one/f 644 contents\ntwo/", check: func(t *testing.T, d vfs.Dir) {
		err := openDir(t, d, "two").Link(openDir(t, d, "one"), "f", "g")
		skipUnsupported(t, err)
		must(t, err)
	}, want: "one/ 755\none/f 644 contents\ntwo/ 755\ntwo/g (= one/f)\n"},
	{name: "Link does not follow a link", needs: vfs.CanLink, tree: "file 644\nlink -> file\ndangling -> nowhere", check: func(t *testing.T, d vfs.Dir) {
		err := d.Link(d, "link", "new link")
		skipUnsupported(t, err)
		must(t, errors.Join(err, d.Link(d, "dangling", "new")))
	}, want: "dangling -> nowhere\nfile 644\nlink -> file\nnew (= dangling)\n\"new link\" (= link)\n"},

	{name: "Stat, OpenDir and OpenFile look through links, wherever they lead", tree: `
		file 600 contents
		dir/b/deep 644 contents
		dir/b/up -> ../../file
		dir/b/back -> ../../dir/b/deep
		dir/b/self -> ../b
		to-file -> file
		to-dir -> dir
		to-dots -> ./dir/.././dir/
		chain -> link
		link -> to-dir
		through -> chain/../to-file
	`, check: func(t *testing.T, d vfs.Dir) {
		b := openDir(t, openDir(t, d, "dir"), "b")
		file, dir := lstat(t, d, "file"), lstat(t, d, "dir")
		for name, target := range map[string]vfs.Attr{
			"file": file, "to-file": file, "through": file, "dir": dir, "to-dir": dir, "to-dots": dir, "chain": dir,
		} {
			wantThrough(t, d, name, target)
		}
		wantThrough(t, b, "up", file)
		wantThrough(t, b, "back", lstat(t, b, "deep"))
		wantThrough(t, b, "self", lstat(t, b, "."))
	}},
	{name: "an absolute link is followed", tree: "link -> /\nsub/link -> /", check: func(t *testing.T, d vfs.Dir) {
		root, err := d.OpenDir("link", vfs.Follow)
		lasting(t, root, err)
		wantThrough(t, d, "link", lstat(t, root, "."))
		wantThrough(t, openDir(t, d, "sub"), "link", lstat(t, root, "."))
	}},
	{name: "following fails where a link leads nowhere", tree: `
		file 644
		dir/
		nowhere -> missing
		far -> dir/missing/../..
		chain -> nowhere
		self -> self
		ping -> pong
		pong -> ping
		through -> file/../file
		slash -> file/
	`, check: func(t *testing.T, d vfs.Dir) {
		for name, targets := range map[string][]error{
			"nowhere": {fs.ErrNotExist}, "far": {fs.ErrNotExist}, "chain": {fs.ErrNotExist},
			"self": nil, "ping": nil, "through": nil,
		} {
			_, err := d.Statx(name, vfs.StatxFollow)
			wantError(t, err, name, targets...)
			wantError(t, closed(d.OpenDir(name, vfs.Follow)), name, targets...)
			wantError(t, closed(d.OpenFile(name, vfs.ReadFollow, 0)), name, targets...)
		}
		wantError(t, closed(d.OpenDir("slash", vfs.Follow)), "slash")
	}},
	{name: "a followed directory does not follow", tree: "dir/sub/\ndir/file 644\ndir/to-sub -> sub\ndir/to-file -> file\nlink -> dir", check: func(t *testing.T, d vfs.Dir) {
		sub, err := d.OpenDir("link", vfs.Follow)
		lasting(t, sub, err)
		wantError(t, closed(sub.OpenDir("to-sub", vfs.NoFollow)), "to-sub")
		wantError(t, closed(sub.OpenFile("to-file", vfs.ReadOnly, 0)), "to-file")
		wantThrough(t, sub, "to-sub", lstat(t, sub, "sub"))
	}},
	{name: "a link in a moved directory leads on from there", tree: "file 644 here\nto/file 644 contents\ndir/link -> ../file", check: func(t *testing.T, d vfs.Dir) {
		dir, to := openDir(t, d, "dir"), openDir(t, d, "to")
		must(t, d.Rename("dir", to, "dir", nil))
		wantThrough(t, dir, "link", lstat(t, to, "file"))
	}},
}

// wantThrough checks that name leads to an entry with the attributes of target.
func wantThrough(t *testing.T, d vfs.Dir, name string, target vfs.Attr) {
	t.Helper()
	got, err := d.Statx(name, vfs.StatxFollow)
	must(t, err)
	if got.ID() != target.ID() || got.Mode != target.Mode || got.Size != target.Size {
		t.Errorf("Stat(%q) = %+v, want %+v", name, got, target)
	}
	if target.Mode.IsDir() {
		sub, err := d.OpenDir(name, vfs.Follow)
		lasting(t, sub, err)
		got = lstat(t, sub, ".")
	} else {
		f, err := d.OpenFile(name, vfs.ReadFollow, 0)
		lasting(t, f, err)
		readsAs(t, f, "contents")
		got, err = vfs.Stat(f)
		must(t, err)
	}
	if got.ID() != target.ID() {
		t.Errorf("%q opened %+v, want %+v", name, got, target)
	}
}
