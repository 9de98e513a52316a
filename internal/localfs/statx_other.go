//go:build !linux

package localfs

import "psync/internal/vfs"

// Look implements [vfs.Dir].
func (d *dir) Look(name string) (vfs.Attr, error) { return d.Lstat(name) }
