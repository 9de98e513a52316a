//go:build darwin || freebsd

package localfs

import (
	"psync/internal/sys"
	"psync/internal/vfs"
)

// Statfs implements [vfs.Dir].
func (d *dir) Statfs() (vfs.Volume, error) {
	v, err := sys.Statfs(d.fd)
	return v, vfs.PathError("statfs", ".", err)
}
