package memfs

import (
	"errors"
	"fmt"
	"io/fs"
	"syscall"

	"psync/internal/vfs"
	"psync/internal/vfs/memfs/kernel"
)

// CloneFile gives a new file the contents, extended attributes, mode, flags and times of another one, as clonefile(2)
// does, but no set-id bits, no ACL except what it inherits from its directory, and the owner of the source only if the
// caller is root and does not pass CLONE_NOOWNERCOPY. Flags that lock the clone are then removed, which fails if some
// of them belong to root and the caller is not root: such a clone stays, since it cannot be removed either. As
// [vfs.Dir] requires, the clone is open for reading only.
func (d *memDir) CloneFile(src vfs.File, name string, owner bool) (vfs.File, error) {
	return result(&d.handle, "clonefile", name, func() (vfs.File, error) {
		xnu, ok := d.kernel.(*kernel.XNU)
		if !ok {
			return nil, errors.ErrUnsupported
		}
		from, err := d.cloneable(xnu, src)
		if err != nil {
			return nil, err
		}
		if err := d.vacant(d.node, name, 0); err != nil {
			return nil, err
		}
		n := d.m.newInode(from.Mode &^ (fs.ModeSetuid | fs.ModeSetgid))
		d.m.enter(d.node, name, n)
		if err := xnu.MakeClone(d.node, name, n, from, owner); err != nil {
			return nil, err
		}
		return d.newFile(n, name, true, false), nil
	})
}

// cloneable returns the inode behind src, or why it cannot be cloned.
func (d *memDir) cloneable(xnu *kernel.XNU, src vfs.File) (*kernel.Inode, error) {
	f, ok := vfs.As[*memFile](src)
	switch {
	case !ok, xnu.FAT, xnu.Share:
		return nil, errors.ErrUnsupported
	case f.m != d.m:
		return nil, fmt.Errorf("%w: %w", errors.ErrUnsupported, syscall.EXDEV)
	case f.closed:
		return nil, fs.ErrClosed
	case !f.readable:
		return nil, syscall.EBADF
	case !f.node.Mode.IsRegular():
		return nil, fmt.Errorf("%w: %w", errors.ErrUnsupported, syscall.EINVAL)
	}
	return f.node, d.kernel.Fetch(f.node)
}
