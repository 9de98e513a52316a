package fstest

import (
	"errors"
	"fmt"
	"io/fs"
	"sync"
	"sync/atomic"
	"testing"

	"psync/internal/vfs"
)

func createPromises() []promise {
	return []promise{
		{"Create makes a file that reads back as written", createReadsBack},
		{"Create refuses an existing name and leaves it alone", createExisting},
		{"Create does not follow a link", createOnLink},
		{"Create gives the mode asked for", createMode},
		{"Mkdir gives the mode asked for", mkdirMode},
		{"Mkdir and Symlink refuse an existing name", makeExisting},
		{"many may create files at once", createConcurrently},
		{"one of many creates a name", createOnce},
	}
}

func createReadsBack(t *testing.T, d vfs.Dir) {
	const data = "to be read\x00back\n"
	f := create(t, d, "f")
	if n, err := f.WriteAt([]byte(data), 0); n != len(data) || err != nil {
		t.Errorf("WriteAt = %d, %v; want %d, nil", n, err, len(data))
	}
	want(t, d, "f", data)
	put(t, d, "empty", "")
	want(t, d, "empty", "")
	wantNames(t, d, "empty", "f")
}

func createExisting(t *testing.T, d vfs.Dir) {
	put(t, d, "file", "precious")
	must(t, d.Mkdir("dir", 0o755))
	for _, name := range []string{"file", "dir"} {
		wantError(t, closed(d.Create(name, 0o644)), name, fs.ErrExist)
	}
	want(t, d, "file", "precious")
	wantNames(t, d, "file", "dir")
}

func createOnLink(t *testing.T, d vfs.Dir) {
	put(t, d, "file", "precious")
	must(t, d.Symlink("file", "link"))
	must(t, d.Symlink("nowhere", "dangling"))
	for _, name := range []string{"link", "dangling"} {
		wantError(t, closed(d.Create(name, 0o644)), name, fs.ErrExist)
	}
	want(t, d, "file", "precious")
	wantNames(t, d, "file", "link", "dangling")
}

func createMode(t *testing.T, d vfs.Dir) {
	for _, perm := range []fs.FileMode{0, 0o200, 0o444, 0o600, 0o640, 0o666, 0o777} {
		name := fmt.Sprintf("%03o", perm)
		f, err := d.Create(name, perm)
		must(t, err)
		_, err = f.WriteAt([]byte("x"), 0)
		must(t, err)
		a, err := f.Stat()
		must(t, err)
		must(t, f.Close())
		if a.Mode != perm {
			t.Errorf("the open file has mode %v, want %v", a.Mode, perm)
		}
		if got := lstat(t, d, name).Mode; got != perm {
			t.Errorf("the file has mode %v, want %v", got, perm)
		}
	}
}

func mkdirMode(t *testing.T, d vfs.Dir) {
	for _, perm := range []fs.FileMode{0, 0o300, 0o555, 0o700, 0o750, 0o777} {
		name := fmt.Sprintf("%03o", perm)
		must(t, d.Mkdir(name, perm))
		a := lstat(t, d, name)
		if !a.Mode.IsDir() || a.Mode.Perm() != perm {
			t.Errorf("the directory has mode %v, want %v", a.Mode, perm)
		}
	}
}

func makeExisting(t *testing.T, d vfs.Dir) {
	put(t, d, "file", "precious")
	must(t, d.Mkdir("dir", 0o755))
	must(t, d.Symlink("dir", "link"))
	must(t, d.Symlink("nowhere", "dangling"))
	before := Tree(t, d, WithMtimes)
	for _, name := range []string{"file", "dir", "link", "dangling"} {
		wantError(t, d.Mkdir(name, 0o700), name, fs.ErrExist)
		wantError(t, d.Symlink("target", name), name, fs.ErrExist)
	}
	if after := Tree(t, d, WithMtimes); after != before {
		t.Errorf("before:\n%safter:\n%s", before, after)
	}
}

func createConcurrently(t *testing.T, d vfs.Dir) {
	const workers, files = 16, 25
	var names []string
	var wg sync.WaitGroup
	for i := range workers {
		for j := range files {
			names = append(names, fmt.Sprintf("%d-%d", i, j))
		}
		wg.Go(func() {
			for j := range files {
				name := fmt.Sprintf("%d-%d", i, j)
				if err := writeFile(d, name, 0o644, name); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	wantNames(t, d, names...)
	for _, name := range names {
		want(t, d, name, name)
	}
}

func createOnce(t *testing.T, d vfs.Dir) {
	var winners atomic.Int32
	var wg sync.WaitGroup
	for range 16 {
		wg.Go(func() {
			err := closed(d.Create("f", 0o644))
			switch {
			case err == nil:
				winners.Add(1)
			case !errors.Is(err, fs.ErrExist):
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if n := winners.Load(); n != 1 {
		t.Errorf("%d of 16 created the file, want 1", n)
	}
}
