package fstest

import (
	"io/fs"
	"testing"

	"psync/internal/vfs"
)

func rewritePromises() []promise {
	return []promise{
		{"Rewrite changes nothing by itself", rewriteKeeps},
		{"a rewritten file can be read and written anywhere", rewriteBoth},
		{"a rewritten file keeps its identity and its other names", rewriteIdentity},
		{"Rewrite does not follow a link", rewriteLink},
		{"Rewrite makes nothing", rewriteMissing},
		{"Rewrite refuses a directory", rewriteDir},
	}
}

// rewrite opens a file in place until the test ends.
func rewrite(t testing.TB, d vfs.Dir, name string) vfs.File {
	t.Helper()
	needs(t, d, vfs.CanRewrite)
	f, err := d.Rewrite(name)
	must(t, err)
	t.Cleanup(func() { must(t, f.Close()) })
	return f
}

func rewriteKeeps(t *testing.T, d vfs.Dir) {
	Fill(t, d, "f 640 @2001-02-03T04:05:06Z contents")
	before := lstat(t, d, "f")
	f := rewrite(t, d, "f")
	if after := lstat(t, d, "f"); after != before {
		t.Errorf("before %+v, after %+v", before, after)
	}
	if a, err := f.Stat(); err != nil || a != before {
		t.Errorf("Stat = %+v, %v; want %+v", a, err, before)
	}
	want(t, d, "f", "contents")
}

func rewriteBoth(t *testing.T, d vfs.Dir) {
	put(t, d, "f", "0123456789")
	f := rewrite(t, d, "f")
	_, err := f.WriteAt([]byte("abc"), 4)
	must(t, err)
	p := make([]byte, 5)
	if n, err := f.ReadAt(p, 3); n != 5 || err != nil || string(p) != "3abc7" {
		t.Errorf("ReadAt = %d, %v, %q; want %q", n, err, p, "3abc7")
	}
	want(t, d, "f", "0123abc789")
	must(t, f.Truncate(5))
	_, err = f.WriteAt([]byte("z"), 7)
	must(t, err)
	want(t, d, "f", "0123a\x00\x00z")
}

func rewriteIdentity(t *testing.T, d vfs.Dir) {
	needs(t, d, vfs.CanRewrite)
	put(t, d, "f", "old")
	link(t, d, d, "f", "g")
	_, err := rewrite(t, d, "f").WriteAt([]byte("new"), 0)
	must(t, err)
	want(t, d, "g", "new")
	wantLinked(t, d, "f", d, "g", 2)
}

func rewriteLink(t *testing.T, d vfs.Dir) {
	needs(t, d, vfs.CanRewrite)
	Fill(t, d, "file 644 precious\nlink -> file\ndangling -> nowhere")
	for _, name := range []string{"link", "dangling"} {
		wantError(t, closed(d.Rewrite(name)), name, nil)
	}
	want(t, d, "file", "precious")
	wantNames(t, d, "file", "link", "dangling")
}

func rewriteMissing(t *testing.T, d vfs.Dir) {
	needs(t, d, vfs.CanRewrite)
	wantError(t, closed(d.Rewrite("missing")), "missing", fs.ErrNotExist)
	wantNames(t, d)
}

func rewriteDir(t *testing.T, d vfs.Dir) {
	needs(t, d, vfs.CanRewrite)
	must(t, d.Mkdir("dir", 0o755))
	wantError(t, closed(d.Rewrite("dir")), "dir", nil)
}
