// Package kernel decides what operations on a file system in memory may do, and which side effects they have, as Linux
// and macOS do.
package kernel

import (
	"errors"
	"io/fs"
	"strings"
	"syscall"
	"time"

	"psync/internal/vfs"
)

// A Kernel decides what an operation may do to an inode, and which side effects it has. Its methods run with the FS
// locked.
type Kernel interface {
	// Caps returns what files and directories offer in addition to what every FS offers. Volume describes the volume.
	Caps() vfs.Caps
	Volume() (vfs.Volume, error)

	// May returns why the caller does not have the rights to an inode.
	May(n *Inode, want Rights) error
	// MayDelete returns why an entry of dir cannot be removed or renamed.
	MayDelete(dir, n *Inode) error
	// Fetch returns why the contents of a file are not available.
	Fetch(n *Inode) error

	// Made is called after an entry is made, Rewrites when a file is opened for writing, and Written after its contents
	// change.
	Made(dir *Inode, name string, n *Inode)
	Rewrites(n *Inode)
	Written(n *Inode)

	Attr(n *Inode) vfs.Attr
	Mknod(mode fs.FileMode) error
	Chmod(n *Inode, mode fs.FileMode) error
	Chown(n *Inode, uid, gid int) error
	Chtimes(n *Inode, atime, mtime time.Time) error
	SetBtime(n *Inode, t time.Time) error
	Flags(n *Inode) (uint32, error)
	SetFlags(n *Inode, flags uint32) error
	Xattrs(n *Inode, acls bool) ([]string, error)
	Xattr(n *Inode, name string) ([]byte, error)
	SetXattr(n *Inode, name string, value []byte) error
	RemoveXattr(n *Inode, name string) error
	// MayBeLong reports whether the value of an extended attribute can be read and written in parts.
	MayBeLong(name string) bool
}

// Set makes a change, which is not of a part of an attribute.
func Set(k Kernel, i *Inode, c *vfs.Change) error {
	switch c.Kind {
	case vfs.OwnerChange:
		return k.Chown(i, c.UID, c.GID)
	case vfs.ModeChange:
		return k.Chmod(i, c.Mode)
	case vfs.TimesChange:
		return k.Chtimes(i, c.Atime, c.Mtime)
	case vfs.BtimeChange:
		return k.SetBtime(i, c.Btime)
	case vfs.FlagsChange:
		return k.SetFlags(i, c.Flags)
	case vfs.XattrChange:
		return k.SetXattr(i, c.Xattr, c.Value)
	default: // a removal
		return k.RemoveXattr(i, c.Xattr)
	}
}

// capability is the attribute that Linux removes when a file changes.
const capability = "security.capability"

// maxXattr is the maximum length of the value of an extended attribute on Linux.
const maxXattr = 64 << 10

// Linux is the kernel of a plain FS: Linux, whose caller is root.
type Linux struct {
	Far bool // the file system belongs to a psync on another host, which hashes and copies there
}

func (Linux) May(*Inode, Rights) error          { return nil }
func (Linux) MayDelete(_, _ *Inode) error       { return nil }
func (Linux) Fetch(*Inode) error                { return nil }
func (Linux) Made(_ *Inode, _ string, _ *Inode) {}
func (Linux) Rewrites(*Inode)                   {}
func (Linux) Mknod(fs.FileMode) error           { return nil }
func (Linux) MayBeLong(string) bool             { return false }

// Caps returns what remote files offer.
func (l Linux) Caps() vfs.Caps {
	if l.Far {
		return vfs.CanSum | vfs.CanCopyRange
	}
	return 0
}

// Volume returns what is known about a remote volume.
func (l Linux) Volume() (vfs.Volume, error) {
	if l.Far {
		return vfs.Volume{Network: true, TimesStay: true}, nil
	}
	return vfs.Volume{}, errors.ErrUnsupported
}

// Written removes the capabilities of a program, which is now a different one.
func (Linux) Written(n *Inode) { delete(n.Xattrs, capability) }

// Attr leaves out the flags, as stat(2) does; they must be asked for.
func (Linux) Attr(n *Inode) vfs.Attr {
	a := n.attr()
	a.Flags = 0
	return a
}

func (Linux) Chmod(n *Inode, mode fs.FileMode) error {
	if n.Mode.Type() == fs.ModeSymlink {
		return errors.ErrUnsupported
	}
	n.chmod(mode)
	return nil
}

func (Linux) Chown(n *Inode, uid, gid int) error {
	n.chown(uid, gid)
	delete(n.Xattrs, capability)
	return nil
}

func (Linux) Chtimes(n *Inode, atime, mtime time.Time) error {
	n.chtimes(atime, mtime)
	return nil
}

func (Linux) SetBtime(*Inode, time.Time) error { return errors.ErrUnsupported }

func (Linux) Flags(n *Inode) (uint32, error) {
	if !n.Mode.IsRegular() && !n.Mode.IsDir() {
		return 0, errors.ErrUnsupported
	}
	return n.Flags, nil
}

func (l Linux) SetFlags(n *Inode, flags uint32) error {
	if _, err := l.Flags(n); err != nil {
		return err
	}
	n.Flags = flags
	return nil
}

// Xattrs always includes ACLs: on Linux they are like any other attribute.
func (Linux) Xattrs(n *Inode, _ bool) ([]string, error) { return n.xattrNames(), nil }

func (Linux) Xattr(n *Inode, name string) ([]byte, error) {
	if err := checkXattr(name, 255); err != nil {
		return nil, err
	}
	return n.xattr(name)
}

func (Linux) SetXattr(n *Inode, name string, value []byte) error {
	if err := checkXattr(name, 255); err != nil {
		return err
	}
	plain := n.Mode.IsRegular() || n.Mode.IsDir()
	switch {
	case len(value) > maxXattr:
		return syscall.E2BIG
	case strings.HasPrefix(name, "user.") && !plain:
		return syscall.EPERM
	case strings.HasPrefix(name, "system.posix_acl_") && n.Mode.Type() == fs.ModeSymlink:
		return errors.ErrUnsupported
	}
	n.setXattr(name, value)
	return nil
}

func (Linux) RemoveXattr(n *Inode, name string) error {
	if err := checkXattr(name, 255); err != nil {
		return err
	}
	return n.removeXattr(name)
}
