package sys

// Offsets within struct linux_dirent64, see getdents64(2).
const (
	direntIno    = 0
	direntReclen = 16
	direntType   = 18
	direntName   = 19
)

// ListsRemoved says that listings may have entries that were removed, whose inode number is 0.
const ListsRemoved = false
