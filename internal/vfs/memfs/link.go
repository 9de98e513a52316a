package memfs

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"syscall"

	"psync/internal/vfs"
)

// Link gives a name to an entry of any directory of the same FS.
func (d *memDir) Link(oldDir vfs.Dir, oldname, newname string) error {
	return d.do("link", newname, func() error {
		from, err := d.sibling(oldDir)
		if err != nil {
			return err
		}
		n, err := d.lookup(from, oldname)
		if err != nil {
			return err
		}
		if err := d.vacant(d.node, newname, n.Mode); err != nil {
			return err
		}
		if n.Mode.IsDir() {
			return syscall.EPERM
		}
		if err := cmp.Or(d.kernel.may(n, rightLink), d.kernel.fetch(n)); err != nil {
			return err
		}
		n.Nlink++
		d.m.enter(d.node, newname, n)
		return nil
	})
}

// Move renames an entry into any directory of the same FS.
func (d *memDir) Move(oldname string, newDir vfs.Dir, newname string) error {
	return d.on("move", oldname, func(n *inode) error {
		to, err := d.sibling(newDir)
		if err != nil {
			return err
		}
		return d.move(n, d.node, oldname, to, newname)
	})
}

// sibling returns the directory behind another handle, which must be of the same FS.
func (d *memDir) sibling(other vfs.Dir) (*inode, error) {
	o, ok := vfs.As[*memDir](other)
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

// move renames n, an entry of one directory, into another or the same one.
func (h *handle) move(n, from *inode, oldname string, to *inode, newname string) error {
	old, err := h.lookup(to, newname)
	switch {
	case old == n && (from != to || !to.entries.respelt(oldname, newname)):
		return nil
	case old == n:
	case err == nil:
		err = cmp.Or(replaceable(n, old), h.kernel.may(to, toAdd(n.Mode)), h.kernel.mayDelete(to, old))
	case errors.Is(err, syscall.ENOENT):
		err = h.vacant(to, newname, n.Mode)
	}
	if err = cmp.Or(err, h.kernel.mayDelete(from, n)); err != nil {
		return err
	}
	if to.within(n) {
		return syscall.EINVAL
	}
	if old != nil && old != n {
		old.Nlink--
		old.Ctime = vfs.StampOf(h.m.now)
	}
	from.entries.remove(oldname)
	from.Mtime, from.Ctime = h.m.now, vfs.StampOf(h.m.now)
	h.m.enter(to, newname, n)
	return nil
}

// replaceable returns why n cannot be renamed to the name of old.
func replaceable(n, old *inode) error {
	switch {
	case old.Mode.IsDir() && !n.Mode.IsDir():
		return syscall.EISDIR
	case !old.Mode.IsDir() && n.Mode.IsDir():
		return syscall.ENOTDIR
	case old.entries.count() > 0:
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

// unlink takes a name away from an inode.
func (h *handle) unlink(dir *inode, name string, n *inode) error {
	if err := h.kernel.mayDelete(dir, n); err != nil {
		return err
	}
	dir.entries.remove(name)
	dir.Mtime, dir.Ctime = h.m.now, vfs.StampOf(h.m.now)
	n.Nlink--
	n.Ctime = vfs.StampOf(h.m.now)
	return nil
}
