package memfs

import (
	"io/fs"
	"strings"
	"syscall"

	"psync/internal/vfs"
)

// maxLinks is how many symbolic links a look-up goes through, as many as on Linux.
const maxLinks = 40

// onTarget runs f on what an entry leads to.
func (d *memDir) onTarget(op, name string, f func(*inode) error) error {
	return d.do(op, name, func() error {
		if err := checkName(name); err != nil {
			return err
		}
		n, err := d.followLocked(name)
		if err != nil {
			return err
		}
		return f(n)
	})
}

// followLocked returns what a path leads to, from the directory.
func (d *memDir) followLocked(path string) (*inode, error) {
	at, rest, more := d.node, path, true
	for links := 0; more; {
		if !at.Mode.IsDir() {
			return nil, syscall.ENOTDIR
		}
		var elem string
		elem, rest, more = strings.Cut(rest, "/")
		switch elem {
		case "", ".":
			continue
		case "..":
			at = at.parent
			continue
		}
		n, err := d.lookup(at, elem)
		if err != nil {
			return nil, err
		}
		if n.Mode.Type() != fs.ModeSymlink {
			at = n
			continue
		}
		if links++; links > maxLinks {
			return nil, syscall.ELOOP
		}
		if strings.HasPrefix(n.target, "/") {
			at = d.m.root
		}
		if more {
			rest = n.target + "/" + rest
		} else {
			rest, more = n.target, true
		}
	}
	return at, nil
}

func (d *memDir) Stat(name string) (a vfs.Attr, err error) {
	look := d.onTarget
	if name == "." {
		look = d.onSelf
	}
	err = look("stat", name, func(n *inode) error {
		a = d.kernel.attr(n)
		return nil
	})
	return a, err
}

func (d *memDir) FollowDir(name string) (vfs.Dir, error) {
	var sub vfs.Dir
	err := d.onTarget("followdir", name, func(n *inode) error {
		if !n.Mode.IsDir() {
			return syscall.ENOTDIR
		}
		if err := d.kernel.may(n, rightRead); err != nil {
			return err
		}
		sub = d.openDirLocked(n, name)
		return nil
	})
	return sub, err
}

func (d *memDir) FollowFile(name string) (vfs.File, error) {
	var f vfs.File
	err := d.onTarget("followfile", name, func(n *inode) error {
		if err := d.kernel.may(n, rightRead); err != nil {
			return err
		}
		f = d.openFileLocked(n, name, true, false)
		return nil
	})
	return f, err
}
