package backup

import (
	"strings"

	"psync/internal/vfs"
)

// Options say how to back up entries before they are replaced or removed.
type Options struct {
	On      bool
	Suffix  string  // added to their names
	Dir     vfs.Dir // where they go, with their paths; nil: they stay in their directories, and Suffix is not empty
	Missing bool    // Dir does not exist yet: a dry run does without it, other runs make it
	// Make makes and opens a missing Dir when there is something to put in it. Other users cannot access it until it
	// gets the attributes of the destination.
	Make   func() (vfs.Dir, error)
	Parent vfs.ID // of the directory that Make changes
}

// InPlace reports whether backups stay in their directories.
func (o Options) InPlace() bool { return o.Dir == nil && !o.Missing }

// IsBackup reports whether name is that of a backup in the destination itself.
func (o Options) IsBackup(name string) bool {
	return o.On && o.InPlace() && len(name) > len(o.Suffix) && strings.HasSuffix(name, o.Suffix)
}
