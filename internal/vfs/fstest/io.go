package fstest

import (
	"errors"
	"io"
	"io/fs"
	"slices"

	"psync/internal/vfs"
)

// writeFile makes a file with contents.
func writeFile(d vfs.Dir, name string, perm fs.FileMode, data string) error {
	f, err := d.OpenFile(name, vfs.Create, perm)
	if err != nil {
		return err
	}
	_, err = f.WriteAt([]byte(data), 0)
	return errors.Join(err, f.Close())
}

// readFile returns the contents of a file.
func readFile(d vfs.Dir, name string) (string, error) {
	f, err := d.OpenFile(name, vfs.ReadOnly, 0)
	if err != nil {
		return "", err
	}
	data, err := io.ReadAll(io.NewSectionReader(f, 0, 1<<62))
	return string(data), errors.Join(err, f.Close())
}

// list returns the sorted names in a directory.
func list(d vfs.Dir) ([]string, error) {
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

// onNode returns a function that calls f with the Node of an entry.
func onNode(f func(vfs.Node) error) func(d vfs.Dir, name string) error {
	return func(d vfs.Dir, name string) error {
		n, err := d.Node(name)
		if err != nil {
			return err
		}
		return vfs.JoinErrors(f(n), n.Close())
	}
}
