package vfstest

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
		n, err := d.m.followLocked(d.node, name)
		if err != nil {
			return err
		}
		return f(n)
	})
}

// followLocked returns what a path leads to, from dir.
func (m *Mem) followLocked(dir *inode, path string) (*inode, error) {
	at, rest, more := dir, path, true
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
		n, err := at.lookup(elem)
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
			at = m.root
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
		a = n.attr()
		return nil
	})
	return a, err
}

func (d *memDir) FollowDir(name string) (vfs.Dir, error) {
	var sub *memDir
	err := d.onTarget("followdir", name, func(n *inode) error {
		if !n.Mode.IsDir() {
			return syscall.ENOTDIR
		}
		sub = &memDir{d.m.openLocked(n, name)}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return sub, nil
}

func (d *memDir) FollowFile(name string) (vfs.File, error) {
	var f *memFile
	err := d.onTarget("followfile", name, func(n *inode) error {
		f = &memFile{handle: d.m.openLocked(n, name), readable: true}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return f, nil
}
