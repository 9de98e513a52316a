package check

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"slices"

	"psync/internal/vfs"
)

// WriteFile makes a file.
func (t *T) WriteFile(name string, perm fs.FileMode, contents string) {
	f, err := t.Dir.OpenFile(name, vfs.Create, perm)
	t.Must(err)
	_, err = f.WriteAt([]byte(contents), 0)
	t.Must(errors.Join(err, f.Close()))
}

// ReadFile returns the contents of a file.
func (t *T) ReadFile(name string) string {
	f, err := t.Dir.OpenFile(name, vfs.ReadOnly, 0)
	t.Must(err)
	defer vfs.CloseUnwritten(f)
	a, err := vfs.Stat(f)
	t.Must(err)
	p := make([]byte, a.Size)
	n, err := f.ReadAt(p, 0)
	if err != nil && err != io.EOF {
		t.Must(err)
	}
	return string(p[:n])
}

// Mkdir makes a directory and returns it.
func (t *T) Mkdir(name string, perm fs.FileMode) *T {
	t.Must(vfs.Mkdir(t.Dir, name, perm))
	return t.Sub(name)
}

// Sub returns a directory that exists.
func (t *T) Sub(name string) *T {
	dir, err := t.Dir.OpenDir(name, vfs.NoFollow)
	t.Must(err)
	t.Cleanup(dir.Close)
	sub := *t
	sub.Dir = dir
	return &sub
}

// Open opens a file for reading until the check ends.
func (t *T) Open(name string) vfs.File {
	f, err := t.Dir.OpenFile(name, vfs.ReadOnly, 0)
	t.Must(err)
	t.Cleanup(f.Close)
	return f
}

// Node returns an entry to set and read metadata of.
func (t *T) Node(name string) vfs.Node {
	n, err := t.Dir.Node(name)
	if errors.Is(err, errors.ErrUnsupported) {
		t.Skipf("no metadata at all")
	}
	t.Must(err)
	t.Cleanup(n.Close)
	return n
}

// Lstat returns the attributes of an entry.
func (t *T) Lstat(name string) vfs.Attr {
	a, err := vfs.Lstat(t.Dir, name)
	t.Must(err)
	return a
}

// Names lists the directory.
func (t *T) Names() []string {
	var names []string
	t.Must(t.Dir.ReadDir(func(entries []vfs.Entry) error {
		for _, e := range entries {
			names = append(names, e.Name)
		}
		return nil
	}))
	slices.Sort(names)
	return names
}

// Exists reports whether there is an entry.
func (t *T) Exists(name string) bool {
	_, err := vfs.Lstat(t.Dir, name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Must(err)
	}
	return err == nil
}

// WriteSparse makes a file with holes between data, each an offset and a length, and returns it, still open.
func (t *T) WriteSparse(name string, data [][2]int64, size int64) vfs.File {
	f, err := t.Dir.OpenFile(name, vfs.Create, 0o600)
	t.Must(err)
	t.Cleanup(f.Close)
	t.Must(f.Truncate(size))
	for _, d := range data {
		_, err := f.WriteAt(bytes.Repeat([]byte("d"), int(d[1])), d[0])
		t.Must(err)
	}
	return f
}
