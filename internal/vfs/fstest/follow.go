package fstest

import (
	"io"
	"io/fs"
	"testing"

	"psync/internal/vfs"
)

func followPromises() []promise {
	return []promise{
		{"Stat, FollowDir and FollowFile look through links", followLinks},
		{"they take what is no link for what it is", followNoLink},
		{"they look through an absolute link", followAbsolute},
		{"they lead out of the directory, and back", followUp},
		{"what they look for in vain is missing", followDangling},
		{"a loop of links is an error", followLoop},
		{"FollowDir opens nothing but directories", followDirRefuses},
		{"a followed directory does not follow", followOnce},
	}
}

// wantThrough checks that name leads to the file or directory called target.
func wantThrough(t *testing.T, d vfs.Dir, name, target string) {
	t.Helper()
	needs(t, d, vfs.CanFollow)
	want := lstat(t, d, target)
	got, err := d.Stat(name)
	must(t, err)
	if got.ID() != want.ID() || got.Mode != want.Mode || got.Size != want.Size {
		t.Errorf("Stat(%q) = %+v, want %+v of %q", name, got, want, target)
	}
	if want.Mode.IsDir() {
		sub, err := d.FollowDir(name)
		must(t, err)
		got, err = sub.Lstat(".")
		must(t, err)
		must(t, sub.Close())
	} else {
		file, err := d.FollowFile(name)
		must(t, err)
		got, err = file.Stat()
		must(t, err)
		must(t, file.Close())
	}
	if got.ID() != want.ID() {
		t.Errorf("%q opened %+v, want %+v of %q", name, got, want, target)
	}
}

func followLinks(t *testing.T, d vfs.Dir) {
	Fill(t, d, `
		file 600 contents
		dir/f 644 within
		to-file -> file
		to-dir -> dir
		to-dots -> ./dir/.././dir/
		chain -> link
		link -> to-dir
		through -> chain/../to-file
	`)
	wantThrough(t, d, "to-file", "file")
	wantThrough(t, d, "to-dir", "dir")
	wantThrough(t, d, "to-dots", "dir")
	wantThrough(t, d, "chain", "dir")
	wantThrough(t, d, "through", "file")
	f, err := d.FollowFile("through")
	must(t, err)
	data, err := io.ReadAll(io.NewSectionReader(f, 0, 100))
	must(t, err)
	must(t, f.Close())
	if string(data) != "contents" {
		t.Errorf("read %q through a link, want %q", data, "contents")
	}
	sub, err := d.FollowDir("chain")
	must(t, err)
	want(t, sub, "f", "within")
	must(t, sub.Close())
}

func followNoLink(t *testing.T, d vfs.Dir) {
	needs(t, d, vfs.CanFollow)
	put(t, d, "file", "contents")
	must(t, d.Mkdir("dir", 0o750))
	wantThrough(t, d, "file", "file")
	wantThrough(t, d, "dir", "dir")
	a, err := d.Stat(".")
	if want := lstat(t, d, "."); err != nil || a.ID() != want.ID() {
		t.Errorf(`Stat(".") = %+v, %v; want %+v`, a, err, want)
	}
}

func followAbsolute(t *testing.T, d vfs.Dir) {
	needs(t, d, vfs.CanFollow)
	must(t, d.Symlink("/", "link"))
	a, err := d.Stat("link")
	must(t, err)
	if !a.Mode.IsDir() {
		t.Errorf("the root is of type %v", a.Mode.Type())
	}
	root, err := d.FollowDir("link")
	must(t, err)
	if got := lstat(t, root, "."); got.ID() != a.ID() {
		t.Errorf("FollowDir opened %+v, want %+v", got, a)
	}
	must(t, root.Close())
}

func followUp(t *testing.T, d vfs.Dir) {
	needs(t, d, vfs.CanFollow)
	Fill(t, d, `
		file 644 outside
		a/b/deep 644 inside
		a/b/up -> ../../file
		a/b/back -> ../../a/b/deep
		a/b/self -> ../b
	`)
	b := openDir(t, openDir(t, d, "a"), "b")
	wantThrough(t, b, "back", "deep")
	got, err := b.Stat("up")
	must(t, err)
	if got.ID() != lstat(t, d, "file").ID() {
		t.Errorf("the link leads to %+v, not out of its directory", got)
	}
	got, err = b.Stat("self")
	must(t, err)
	if got.ID() != lstat(t, b, ".").ID() {
		t.Errorf("the link leads to %+v, not to its own directory", got)
	}
}

// wantNowhere checks that name cannot be followed.
func wantNowhere(t *testing.T, d vfs.Dir, name string, target error) {
	t.Helper()
	needs(t, d, vfs.CanFollow)
	_, err := d.Stat(name)
	wantError(t, err, name, target)
	wantError(t, closed(d.FollowDir(name)), name, target)
	wantError(t, closed(d.FollowFile(name)), name, target)
}

func followDangling(t *testing.T, d vfs.Dir) {
	Fill(t, d, `
		dir/
		nowhere -> missing
		far -> dir/missing/../..
		chain -> nowhere
	`)
	for _, name := range []string{"nowhere", "far", "chain"} {
		wantNowhere(t, d, name, fs.ErrNotExist)
	}
}

func followLoop(t *testing.T, d vfs.Dir) {
	Fill(t, d, `
		file 644
		self -> self
		ping -> pong
		pong -> ping
		through -> file/../file
	`)
	for _, name := range []string{"self", "ping", "through"} {
		wantNowhere(t, d, name, nil)
	}
}

func followDirRefuses(t *testing.T, d vfs.Dir) {
	needs(t, d, vfs.CanFollow)
	Fill(t, d, "file 644\nlink -> file\nslash -> file/")
	for _, name := range []string{"file", "link", "slash"} {
		wantError(t, closed(d.FollowDir(name)), name, nil)
	}
}

func followOnce(t *testing.T, d vfs.Dir) {
	needs(t, d, vfs.CanFollow)
	Fill(t, d, "dir/sub/\ndir/file 644\ndir/to-sub -> sub\ndir/to-file -> file\nlink -> dir")
	sub, err := d.FollowDir("link")
	must(t, err)
	wantError(t, closed(sub.OpenDir("to-sub")), "to-sub", nil)
	wantError(t, closed(sub.Open("to-file")), "to-file", nil)
	wantThrough(t, sub, "to-sub", "sub")
	must(t, sub.Close())
}
