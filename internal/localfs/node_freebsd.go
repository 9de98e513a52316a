package localfs

import (
	"io/fs"

	"golang.org/x/sys/unix"
)

// nodeTypes are the types of entries, other than regular files, that are opened for their
// metadata. Symbolic links cannot be opened, so their extended attributes are
// inaccessible.
const (
	nodeTypes = fs.ModeDir
	nodeFlags = unix.O_NOFOLLOW
)
