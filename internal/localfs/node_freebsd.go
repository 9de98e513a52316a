package localfs

import (
	"io/fs"

	"golang.org/x/sys/unix"
)

// nodeTypes are the types of entries that are opened for their metadata, besides
// files. Symbolic links cannot be opened, so that their extended attributes are out
// of reach.
const (
	nodeTypes = fs.ModeDir
	nodeFlags = unix.O_NOFOLLOW
)
