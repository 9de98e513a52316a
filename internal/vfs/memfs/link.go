package memfs

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"syscall"

	"psync/internal/vfs"
	"psync/internal/vfs/memfs/kernel"
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
		if err := cmp.Or(d.kernel.May(n, kernel.RightLink), d.kernel.Fetch(n)); err != nil {
			return err
		}
		n.Nlink++
		d.m.enter(d.node, newname, n)
		return nil
	})
}

// Rename implements [vfs.Dir]. The other directory may be any of the same FS.
func (d *memDir) Rename(oldname string, newDir vfs.Dir, newname string, only *vfs.Premise) error {
	op, to := "rename", d
	if other, ok := vfs.As[*memDir](newDir); ok && other != d {
		op, to = "move", other
	}
	if err := vfs.CheckReplaced(to, newname, only); err != nil {
		return err
	}
	return d.on(op, oldname, func(n *kernel.Inode) error {
		into := d.node
		if newDir != nil {
			var err error
			if into, err = d.sibling(newDir); err != nil {
				return err
			}
		}
		return d.move(n, d.node, oldname, into, newname)
	})
}

// sibling returns the directory behind another handle, which must be of the same FS.
func (d *memDir) sibling(other vfs.Dir) (*kernel.Inode, error) {
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
func (h *handle) move(n, from *kernel.Inode, oldname string, to *kernel.Inode, newname string) error {
	old, err := h.lookup(to, newname)
	switch {
	case old == n && (from != to || !to.Entries.Respelt(oldname, newname)):
		return nil
	case old == n:
	case err == nil:
		err = cmp.Or(replaceable(n, old), h.kernel.May(to, kernel.ToAdd(n.Mode)), h.kernel.MayDelete(to, old))
	case errors.Is(err, syscall.ENOENT):
		err = h.vacant(to, newname, n.Mode)
	}
	if err = cmp.Or(err, h.kernel.MayDelete(from, n)); err != nil {
		return err
	}
	if within(to, n) {
		return syscall.EINVAL
	}
	if old != nil && old != n {
		old.Nlink--
		old.Ctime = vfs.StampOf(h.m.now)
	}
	from.Entries.Delete(oldname)
	from.Mtime, from.Ctime = h.m.now, vfs.StampOf(h.m.now)
	h.m.enter(to, newname, n)
	return nil
}

// replaceable returns why n cannot be renamed to the name of old.
func replaceable(n, old *kernel.Inode) error {
	switch {
	case old.Mode.IsDir() && !n.Mode.IsDir():
		return syscall.EISDIR
	case !old.Mode.IsDir() && n.Mode.IsDir():
		return syscall.ENOTDIR
	case old.Entries.Count() > 0:
		return syscall.ENOTEMPTY
	}
	return nil
}

// within reports whether a directory is top or lies below it.
func within(n, top *kernel.Inode) bool {
	for n != top && n != n.Parent {
		n = n.Parent
	}
	return n == top
}

// unlink removes a name of an inode.
func (h *handle) unlink(dir *kernel.Inode, name string, n *kernel.Inode) error {
	if err := h.kernel.MayDelete(dir, n); err != nil {
		return err
	}
	dir.Entries.Delete(name)
	dir.Mtime, dir.Ctime = h.m.now, vfs.StampOf(h.m.now)
	n.Nlink--
	n.Ctime = vfs.StampOf(h.m.now)
	return nil
}
