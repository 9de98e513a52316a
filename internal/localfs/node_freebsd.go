package localfs

import (
	"errors"
	"io/fs"

	"golang.org/x/sys/unix"

	"psync/internal/vfs"
)

// nodeTypes are the types of entries, other than regular files, that are opened for their
// metadata. Symbolic links cannot be opened, so their extended attributes are
// inaccessible.
const (
	nodeTypes = fs.ModeDir
	nodeFlags = unix.O_NOFOLLOW
)

// node returns an entry as a Node. There is no call that lists the extended attributes of an entry that is not open.
func (d *dir) node(name string) (vfs.Node, error) { return d.openNode(name) }

// writeXattrAt returns an error: extended attributes are read and written as a whole.
func (f *file) writeXattrAt(string, []byte, int64) error {
	return vfs.PathError("setxattr", f.name, errors.ErrUnsupported)
}
