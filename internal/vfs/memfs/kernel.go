package memfs

import (
	"errors"
	"io/fs"
	"time"

	"psync/internal/vfs"
)

// A kernel decides what an operation may do to an inode, and what else happens
// then. Its methods run with the FS locked.
type kernel interface {
	// may returns why the caller does not have the rights to an inode.
	may(n *inode, want rights) error
	// mayDelete returns why an entry of dir cannot be removed or renamed.
	mayDelete(dir, n *inode) error
	// fetch returns why the contents of a file cannot be had.
	fetch(n *inode) error

	// made follows the making of an entry, written the change of a file's contents.
	made(dir *inode, name string, n *inode)
	written(n *inode)

	// dir, file and named give what has been opened the methods that others lack.
	dir(d *memDir) vfs.Dir
	file(f *memFile) vfs.File
	named(n *memNode) vfs.Node

	attr(n *inode) vfs.Attr
	mknod(mode fs.FileMode) error
	chmod(n *inode, mode fs.FileMode) error
	chown(n *inode, uid, gid int) error
	chtimes(n *inode, atime, mtime time.Time) error
	setBtime(n *inode, t time.Time) error
	flags(n *inode) (uint32, error)
	setFlags(n *inode, flags uint32) error
	xattrs(n *inode, acls bool) ([]string, error)
	xattr(n *inode, name string) ([]byte, error)
	setXattr(n *inode, name string, value []byte) error
	removeXattr(n *inode, name string) error
}

// linux is the kernel of a plain FS: Linux, whose caller is root.
type linux struct{}

func (linux) may(*inode, rights) error          { return nil }
func (linux) mayDelete(_, _ *inode) error       { return nil }
func (linux) fetch(*inode) error                { return nil }
func (linux) made(_ *inode, _ string, _ *inode) {}
func (linux) mknod(fs.FileMode) error           { return nil }
func (linux) dir(d *memDir) vfs.Dir             { return d }
func (linux) file(f *memFile) vfs.File          { return f }
func (linux) named(n *memNode) vfs.Node         { return n }

// written takes the capabilities of a program away that is another one now.
func (linux) written(n *inode) { delete(n.xattrs, capability) }

// attr tells the flags to none but who asks for them, as stat(2) does.
func (linux) attr(n *inode) vfs.Attr {
	a := n.attr()
	a.Flags = 0
	return a
}

func (linux) chmod(n *inode, mode fs.FileMode) error {
	if n.Mode.Type() == fs.ModeSymlink {
		return errors.ErrUnsupported
	}
	n.chmod(mode)
	return nil
}

func (linux) chown(n *inode, uid, gid int) error {
	n.chown(uid, gid)
	delete(n.xattrs, capability)
	return nil
}

func (linux) chtimes(n *inode, atime, mtime time.Time) error {
	n.chtimes(atime, mtime)
	return nil
}

func (linux) setBtime(*inode, time.Time) error { return errors.ErrUnsupported }

func (linux) flags(n *inode) (uint32, error) {
	if !n.Mode.IsRegular() && !n.Mode.IsDir() {
		return 0, errors.ErrUnsupported
	}
	return n.Flags, nil
}

func (l linux) setFlags(n *inode, flags uint32) error {
	if _, err := l.flags(n); err != nil {
		return err
	}
	n.Flags = flags
	return nil
}
