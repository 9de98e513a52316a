package sys

// Offsets within struct dirent, see dir(5).
const (
	direntIno    = 0
	direntReclen = 16
	direntType   = 18
	direntName   = 24
)

// ListsRemoved reports whether listings may contain removed entries, which have inode number 0; see
// getdirentries(2).
const ListsRemoved = true
