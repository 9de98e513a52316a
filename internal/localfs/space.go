package localfs

import (
	"psync/internal/sys"
	"psync/internal/vfs"
)

// Space implements [vfs.Dir].
func (d *dir) Space() (vfs.Space, error) {
	s, err := sys.Space(d.fd)
	return s, pathError("statfs", ".", err)
}
