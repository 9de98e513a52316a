package sys

// Offsets within struct dirent, see dir(5).
const (
	direntIno    = 0
	direntReclen = 16
	direntType   = 18
	direntName   = 24
)

// ListsRemoved says that listings may have entries that were removed, whose inode number is 0: see getdirentries(2).
const ListsRemoved = true
