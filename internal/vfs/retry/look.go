package retry

import (
	"context"
	"syscall"

	"psync/internal/vfs"
)

// Statx implements [vfs.Dir]. For an identity, it does not ask the server, and it fails in a directory whose handle was
// once stale: the identities of entries may differ from those that the caller knows.
func (d *dir) Statx(name string, want vfs.StatxWant) (attr vfs.Attr, err error) {
	if want == vfs.StatxID {
		if d.renewed.Load() > 0 {
			return vfs.Attr{}, syscall.ESTALE
		}
		return d.Unwrap().Statx(name, want)
	}
	err = d.do(name, func(in vfs.Dir) (err error) {
		attr, err = in.Statx(name, want)
		return err
	})
	return attr, err
}

// Readlink implements [vfs.Dir].
func (d *dir) Readlink(name string) (target string, err error) {
	err = d.do(name, func(in vfs.Dir) (err error) {
		target, err = in.Readlink(name)
		return err
	})
	return target, err
}

// Statfs implements [vfs.Dir].
func (d *dir) Statfs() (v vfs.Volume, err error) {
	err = d.do(".", func(in vfs.Dir) (err error) {
		v, err = in.Statfs()
		return err
	})
	return v, err
}

// Count implements [vfs.Dir].
func (d *dir) Count(ctx context.Context) (files, bytes int64, known bool) {
	return d.Unwrap().Count(ctx)
}

// HasDefaultACL implements [vfs.Dir].
func (d *dir) HasDefaultACL() bool { return d.Unwrap().HasDefaultACL() }
