package vfstest

import (
	"errors"
	"fmt"
	"io/fs"
	"syscall"

	"psync/internal/vfs"
)

// Link gives a name to an entry of any directory of the same Mem.
func (d *memDir) Link(oldDir vfs.Dir, oldname, newname string) error {
	return d.do("link", newname, func() error {
		from, err := d.sibling(oldDir)
		if err != nil {
			return err
		}
		n, err := from.lookup(oldname)
		if err != nil {
			return err
		}
		if err := d.node.vacant(newname); err != nil {
			return err
		}
		if n.Mode.IsDir() {
			return syscall.EPERM
		}
		n.Nlink++
		d.m.enterLocked(d.node, newname, n)
		return nil
	})
}

// Move renames an entry into any directory of the same Mem.
func (d *memDir) Move(oldname string, newDir vfs.Dir, newname string) error {
	return d.on("move", oldname, func(n *inode) error {
		to, err := d.sibling(newDir)
		if err != nil {
			return err
		}
		return d.m.moveLocked(n, d.node, oldname, to, newname)
	})
}

// sibling returns the directory behind another handle, which must be of the same Mem.
func (d *memDir) sibling(other vfs.Dir) (*inode, error) {
	o, ok := unwrap(other).(*memDir)
	switch {
	case !ok:
		return nil, errors.ErrUnsupported
	case o.m != d.m:
		return nil, fmt.Errorf("%w: %w", errors.ErrUnsupported, syscall.EXDEV)
	case o.closed:
		return nil, fs.ErrClosed
	}
	return o.node, nil
}

// moveLocked renames n, an entry of one directory, into another or the same one.
func (m *Mem) moveLocked(n, from *inode, oldname string, to *inode, newname string) error {
	old, err := to.lookup(newname)
	switch {
	case old == n:
		return nil
	case err == nil:
		err = replaceable(n, old)
	case errors.Is(err, syscall.ENOENT):
		err = to.vacant(newname)
	}
	switch {
	case err != nil:
		return err
	case to.within(n):
		return syscall.EINVAL
	}
	if old != nil {
		old.Nlink--
	}
	from.entries.remove(oldname)
	from.Mtime = m.now
	m.enterLocked(to, newname, n)
	return nil
}

// replaceable returns why n cannot be renamed to the name of old.
func replaceable(n, old *inode) error {
	switch {
	case old.Mode.IsDir() && !n.Mode.IsDir():
		return syscall.EISDIR
	case !old.Mode.IsDir() && n.Mode.IsDir():
		return syscall.ENOTDIR
	case old.entries.len() > 0:
		return syscall.ENOTEMPTY
	}
	return nil
}

// within reports whether a directory is top or lies below it.
func (n *inode) within(top *inode) bool {
	for n != top && n != n.parent {
		n = n.parent
	}
	return n == top
}

// unlinkLocked takes a name away from an inode.
func (m *Mem) unlinkLocked(dir *inode, name string, n *inode) {
	dir.entries.remove(name)
	dir.Mtime = m.now
	n.Nlink--
}
