package memfs

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"syscall"

	"psync/internal/vfs"
)

// CloneFile gives a new file the contents, extended attributes, mode, flags and times of
// another one, as clonefile(2) does: but no set-id bits and no ACL but what its directory
// makes it inherit, and the owner of the source only if the caller is root and does not give
// CLONE_NOOWNERCOPY. Then flags that lock are taken away, which fails if those of root are among
// them and the caller is not: such a clone stays, for it cannot be removed either. As
// [vfs.Dir] wants it, the clone is open for reading only.
func (d *macDir) CloneFile(src vfs.File, name string, owner bool) (vfs.File, error) {
	return result(&d.handle, "clonefile", name, func() (vfs.File, error) {
		from, err := d.cloneable(src)
		if err != nil {
			return nil, err
		}
		if err := d.vacant(d.node, name, 0); err != nil {
			return nil, err
		}
		n := d.m.newInode(from.Mode &^ (fs.ModeSetuid | fs.ModeSetgid))
		d.m.enter(d.node, name, n)
		d.mac.cloned(d.node, name, n, from, owner)
		if locks := n.Flags & flagsLock; locks != 0 {
			if err := d.kernel.setFlags(n, n.Flags&^locks); err != nil {
				return nil, err
			}
		}
		return d.newFile(n, name, true, false), nil
	})
}

// cloneable returns the inode behind src, or why it cannot be cloned.
func (d *macDir) cloneable(src vfs.File) (*inode, error) {
	f, ok := vfs.As[*macFile](src)
	switch {
	case !ok, d.mac.FAT, d.mac.Share:
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
	return f.node, d.kernel.fetch(f.node)
}

// cloned makes n a clone of another file, but for its stamp.
func (k *mac) cloned(dir *inode, name string, n, from *inode, owner bool) {
	n.data = bytes.Clone(from.data)
	for attr, value := range from.xattrs {
		if attr != ACLName {
			n.setXattr(attr, value)
		}
	}
	k.made(dir, name, n)
	if owner && k.UID == 0 {
		n.UID, n.GID = from.UID, from.GID
	}
	n.Atime, n.Mtime, n.Btime = from.Atime, from.Mtime, from.Btime
	n.Flags = from.Flags &^ (flagDataVault | flagRestricted)
}
