package sys

// Offsets within struct linux_dirent64, see getdents64(2).
const (
	direntIno    = 0
	direntReclen = 16
	direntType   = 18
	direntName   = 19
)

// ListsRemoved reports whether listings may contain removed entries, which have inode number 0.
const ListsRemoved = false
