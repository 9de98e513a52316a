package fstest

import (
	"errors"
	"io"
	"io/fs"
	"slices"

	"psync/internal/vfs"
)

// WriteFile makes a file with contents.
func WriteFile(d vfs.Dir, name string, perm fs.FileMode, data string) error {
	f, err := d.OpenFile(name, vfs.Create, perm)
	if err != nil {
		return err
	}
	_, err = f.WriteAt([]byte(data), 0)
	return errors.Join(err, f.Close())
}

// ReadFile returns the contents of a file.
func ReadFile(d vfs.Dir, name string) (string, error) {
	f, err := d.OpenFile(name, vfs.ReadOnly, 0)
	if err != nil {
		return "", err
	}
	data, err := io.ReadAll(io.NewSectionReader(f, 0, 1<<62))
	return string(data), errors.Join(err, f.Close())
}

// Names returns the sorted names in a directory.
func Names(d vfs.Dir) ([]string, error) {
	var names []string
	err := d.ReadDir(func(entries []vfs.Entry) error {
		for _, e := range entries {
			names = append(names, e.Name)
		}
		return nil
	})
	slices.Sort(names)
	return names, err
}

// OnNode returns a function that calls f with the Node of an entry.
func OnNode(f func(vfs.Node) error) func(d vfs.Dir, name string) error {
	return func(d vfs.Dir, name string) error {
		n, err := d.Node(name)
		if err != nil {
			return err
		}
		return vfs.JoinErrors(f(n), n.Close())
	}
}
