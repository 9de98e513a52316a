package retry

import (
	"context"
	"syscall"

	"psync/internal/vfs"
)

// Statx implements [vfs.Dir]. For an identity, it does not ask the server, and it fails in a directory whose handle was
// once stale: the identities of entries may differ from those that the caller knows.
func (d *dir) Statx(name string, want vfs.StatxWant) (vfs.Attr, error) {
	if want == vfs.StatxID {
		if d.renewed.Load() > 0 {
			return vfs.Attr{}, syscall.ESTALE
		}
		return d.Unwrap().Statx(name, want)
	}
	attr, err := get(d.at(name), func(in vfs.Dir) (vfs.Attr, error) { return in.Statx(name, want) })
	if err == nil {
		d.knowMade()
	}
	return attr, err
}

// Readlink implements [vfs.Dir].
func (d *dir) Readlink(name string) (string, error) {
	return get(d.at(name), func(in vfs.Dir) (string, error) { return in.Readlink(name) })
}

// Statfs implements [vfs.Dir].
func (d *dir) Statfs() (vfs.Volume, error) {
	return get(d.at("."), func(in vfs.Dir) (vfs.Volume, error) { return in.Statfs() })
}

// CountTree implements [vfs.Dir].
func (d *dir) CountTree(ctx context.Context) (files, bytes int64, known bool) {
	return d.Unwrap().CountTree(ctx)
}

// HasDefaultACL implements [vfs.Dir].
func (d *dir) HasDefaultACL() bool { return d.Unwrap().HasDefaultACL() }
