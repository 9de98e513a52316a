package fstest

import (
	"io/fs"
	"strings"
	"sync"
	"testing"

	"psync/internal/vfs"
)

func renamePromises() []promise {
	return []promise{
		{"Rename gives an entry another name", renameMoves},
		{"Rename replaces a file", renameReplaces},
		{"Rename replaces a file atomically", renameAtomic},
		{"Rename replaces a link, not its target", renameOntoLink},
		{"Rename does not replace a directory by something else", renameOntoDir},
		{"Rename onto a directory with entries is an error", renameOntoFull},
	}
}

func renameMoves(t *testing.T, d vfs.Dir) {
	put(t, d, "file", "contents")
	put(t, mkdir(t, d, "dir"), "f", "within")
	must(t, d.Symlink("file", "link"))
	for _, name := range []string{"file", "dir", "link"} {
		before := lstat(t, d, name)
		must(t, d.Rename(name, "new "+name))
		if after := lstat(t, d, "new "+name); after.ID() != before.ID() || after.Mode != before.Mode {
			t.Errorf("%s: before %+v, after %+v", name, before, after)
		}
	}
	wantNames(t, d, "new file", "new dir", "new link")
	want(t, d, "new file", "contents")
	want(t, openDir(t, d, "new dir"), "f", "within")
}

func renameReplaces(t *testing.T, d vfs.Dir) {
	put(t, d, "f", "old")
	old := open(t, d, "f")
	put(t, d, "temp", "new")
	must(t, d.Rename("temp", "f"))
	wantNames(t, d, "f")
	want(t, d, "f", "new")
	p := make([]byte, 2)
	if _, err := old.ReadAt(p, 0); err != nil || string(p) != "ol" {
		t.Errorf("the replaced file reads %q, %v while it is open", p, err)
	}
}

func renameAtomic(t *testing.T, d vfs.Dir) {
	a, b := strings.Repeat("a", 1000), strings.Repeat("b", 1000)
	put(t, d, "f", a)
	done := make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		for {
			select {
			case <-done:
				return
			default:
			}
			if got, err := readFile(d, "f"); err != nil || got != a && got != b {
				t.Errorf("read %.20q, %v during a rename", got, err)
				return
			}
		}
	})
	defer wg.Wait()
	defer close(done)
	for range 100 {
		for _, data := range []string{b, a} {
			put(t, d, "temp", data)
			must(t, d.Rename("temp", "f"))
		}
	}
}

func renameOntoLink(t *testing.T, d vfs.Dir) {
	put(t, d, "target", "target")
	must(t, d.Mkdir("dir", 0o755))
	for _, target := range []string{"target", "dir", "nowhere"} {
		must(t, d.Symlink(target, "link"))
		put(t, d, "temp", "new")
		must(t, d.Rename("temp", "link"))
		want(t, d, "link", "new")
		must(t, d.Remove("link"))
	}
	want(t, d, "target", "target")
	wantNames(t, d, "target", "dir")
	wantNames(t, openDir(t, d, "dir"))
}

func renameOntoDir(t *testing.T, d vfs.Dir) {
	put(t, d, "file", "contents")
	must(t, d.Symlink("file", "link"))
	must(t, d.Mkdir("dir", 0o755))
	for _, name := range []string{"file", "link"} {
		if d.Rename(name, "dir") == nil {
			t.Errorf("the %s replaced a directory", name)
		}
	}
	if d.Rename("dir", "file") == nil {
		t.Error("the directory replaced a file")
	}
	wantNames(t, d, "file", "link", "dir")
	want(t, d, "file", "contents")
}

func renameOntoFull(t *testing.T, d vfs.Dir) {
	put(t, d, "file", "contents")
	full := mkdir(t, d, "full")
	put(t, full, "f", "precious")
	must(t, d.Mkdir("dir", 0o755))
	for _, name := range []string{"file", "dir"} {
		if d.Rename(name, "full") == nil {
			t.Errorf("the %s replaced a directory with entries", name)
		}
	}
	if got := lstat(t, d, "dir").Mode.Type(); got != fs.ModeDir {
		t.Errorf("the directory is of type %v", got)
	}
	wantNames(t, d, "file", "dir", "full")
	want(t, full, "f", "precious")
}
