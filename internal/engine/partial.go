package engine

import (
	"errors"
	"io/fs"

	"psync/internal/vfs"
)

// removeIfThere removes an entry. That it is gone already is no error.
func removeIfThere(dir vfs.Dir, name string) error {
	if err := dir.Remove(name); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
