package fstest

import (
	"testing"
	"time"

	"psync/internal/vfs"
)

func removePromises() []promise {
	return []promise{
		{"Remove removes files and links", removeRemoves},
		{"Remove does not remove a directory", removeDir},
		{"Rmdir removes an empty directory", rmdirRemoves},
		{"Rmdir removes nothing else", rmdirRefuses},
		{"a directory's time follows its entries", dirTime},
	}
}

func removeRemoves(t *testing.T, d vfs.Dir) {
	put(t, d, "target", "precious")
	put(t, mkdir(t, d, "dir"), "f", "precious")
	must(t, d.Symlink("target", "link"))
	must(t, d.Symlink("dir", "link to dir"))
	put(t, d, "file", "")
	for _, name := range []string{"file", "link", "link to dir"} {
		must(t, d.Remove(name))
	}
	wantNames(t, d, "target", "dir")
	want(t, d, "target", "precious")
	want(t, openDir(t, d, "dir"), "f", "precious")
}

func removeDir(t *testing.T, d vfs.Dir) {
	must(t, d.Mkdir("empty", 0o755))
	put(t, mkdir(t, d, "full"), "f", "precious")
	for _, name := range []string{"empty", "full"} {
		wantError(t, d.Remove(name), name, nil)
	}
	wantNames(t, d, "empty", "full")
	want(t, openDir(t, d, "full"), "f", "precious")
}

func rmdirRemoves(t *testing.T, d vfs.Dir) {
	must(t, d.Mkdir("dir", 0o755))
	must(t, d.Mkdir("closed to all", 0))
	must(t, d.Rmdir("dir"))
	must(t, d.Rmdir("closed to all"))
	wantNames(t, d)
}

func rmdirRefuses(t *testing.T, d vfs.Dir) {
	put(t, d, "file", "precious")
	must(t, d.Mkdir("dir", 0o755))
	must(t, d.Symlink("dir", "link"))
	put(t, mkdir(t, d, "full"), "f", "precious")
	for _, name := range []string{"file", "link", "full"} {
		wantError(t, d.Rmdir(name), name, nil)
	}
	wantNames(t, d, "file", "dir", "link", "full")
	want(t, d, "file", "precious")
	want(t, openDir(t, d, "full"), "f", "precious")
}

func dirTime(t *testing.T, d vfs.Dir) {
	put(t, d, "kept", "")
	long := time.Unix(1_000_000_000, 0)
	for _, op := range []struct {
		name  string
		do    func() error
		moves bool
	}{
		{"Create", func() error { return closed(d.Create("f", 0o644)) }, true},
		{"Mkdir", func() error { return d.Mkdir("d", 0o755) }, true},
		{"Symlink", func() error { return d.Symlink("f", "l") }, true},
		{"Rename", func() error { return d.Rename("f", "g") }, true},
		{"Remove", func() error { return d.Remove("g") }, true},
		{"Rmdir", func() error { return d.Rmdir("d") }, true},
		{"Chmod", func() error { return d.Chmod("kept", 0o600) }, false},
		{"Chtimes", func() error { return d.Chtimes("kept", long, long) }, false},
		{"Open", func() error { return closed(d.Open("kept")) }, false},
	} {
		must(t, d.Chtimes(".", long, long))
		must(t, op.do())
		if moved := !lstat(t, d, ".").Mtime.Equal(long); moved != op.moves {
			t.Errorf("%s changes the time of the directory: %v, want %v", op.name, moved, op.moves)
		}
	}
}
