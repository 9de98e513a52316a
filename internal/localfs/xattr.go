package localfs

import (
	"io/fs"

	"psync/internal/vfs"
)

// xattrError wraps an error of a call for the extended attributes of an entry.
func xattrError(op, name string, err error) error {
	if err == errNoXattr {
		err = noXattr{err}
	}
	return vfs.PathError(op, name, err)
}

// noXattr says that there is no attribute with a given name. It keeps the system's message, because that of
// fs.ErrNotExist would say that the file does not exist.
type noXattr struct{ error }

func (e noXattr) Unwrap() error        { return e.error }
func (e noXattr) Is(target error) bool { return target == fs.ErrNotExist }
