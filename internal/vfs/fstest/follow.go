package fstest

import (
	"io/fs"
	"testing"

	"psync/internal/vfs"
)

func followPromises() []promise {
	return []promise{
		{"Stat, FollowDir and FollowFile look through links, wherever they lead", followLinks},
		{"they look through an absolute link", followAbsolute},
		{"they fail where a link leads nowhere", followNowhere},
		{"a followed directory does not follow", followOnce},
		{"a link in a moved directory leads on from there", followMoved},
	}
}

// wantThrough checks that name leads to an entry with the attributes of target.
func wantThrough(t *testing.T, d vfs.Dir, name string, target vfs.Attr) {
	t.Helper()
	got, err := d.Stat(name)
	must(t, err)
	if got.ID() != target.ID() || got.Mode != target.Mode || got.Size != target.Size {
		t.Errorf("Stat(%q) = %+v, want %+v", name, got, target)
	}
	if target.Mode.IsDir() {
		sub, err := d.FollowDir(name)
		lasting(t, sub, err)
		got = lstat(t, sub, ".")
	} else {
		f, err := d.FollowFile(name)
		lasting(t, f, err)
		readsAs(t, f, "contents")
		got, err = f.Stat()
		must(t, err)
	}
	if got.ID() != target.ID() {
		t.Errorf("%q opened %+v, want %+v", name, got, target)
	}
}

func followLinks(t *testing.T, d vfs.Dir) {
	needs(t, d, vfs.CanFollow)
	Fill(t, d, `
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
	`)
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
}

func followAbsolute(t *testing.T, d vfs.Dir) {
	needs(t, d, vfs.CanFollow)
	must(t, d.Symlink("/", "link"))
	root, err := d.FollowDir("link")
	lasting(t, root, err)
	wantThrough(t, d, "link", lstat(t, root, "."))
	sub := mkdir(t, d, "sub")
	must(t, sub.Symlink("/", "link"))
	wantThrough(t, sub, "link", lstat(t, root, "."))
}

func followNowhere(t *testing.T, d vfs.Dir) {
	needs(t, d, vfs.CanFollow)
	Fill(t, d, `
		file 644
		dir/
		nowhere -> missing
		far -> dir/missing/../..
		chain -> nowhere
		self -> self
		ping -> pong
		pong -> ping
		through -> file/../file
	`)
	for name, targets := range map[string][]error{
		"nowhere": {fs.ErrNotExist}, "far": {fs.ErrNotExist}, "chain": {fs.ErrNotExist},
		"self": nil, "ping": nil, "through": nil,
	} {
		_, err := d.Stat(name)
		wantError(t, err, name, targets...)
		wantError(t, closed(d.FollowDir(name)), name, targets...)
		wantError(t, closed(d.FollowFile(name)), name, targets...)
	}
	must(t, d.Symlink("file/", "slash"))
	wantError(t, closed(d.FollowDir("slash")), "slash")
}

func followOnce(t *testing.T, d vfs.Dir) {
	needs(t, d, vfs.CanFollow)
	Fill(t, d, "dir/sub/\ndir/file 644\ndir/to-sub -> sub\ndir/to-file -> file\nlink -> dir")
	sub, err := d.FollowDir("link")
	lasting(t, sub, err)
	wantError(t, closed(sub.OpenDir("to-sub")), "to-sub")
	wantError(t, closed(sub.Open("to-file")), "to-file")
	wantThrough(t, sub, "to-sub", lstat(t, sub, "sub"))
}

func followMoved(t *testing.T, d vfs.Dir) {
	needs(t, d, vfs.CanFollow|vfs.CanMove)
	Fill(t, d, "file 644 here\nto/file 644 contents\ndir/link -> ../file")
	dir, to := openDir(t, d, "dir"), openDir(t, d, "to")
	must(t, d.Move("dir", to, "dir"))
	wantThrough(t, dir, "link", lstat(t, to, "file"))
}
