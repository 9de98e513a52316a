package memfs

import (
	"io/fs"
	"strings"
	"syscall"

	"psync/internal/vfs"
	"psync/internal/vfs/memfs/kernel"
)

// maxLinks is how many symbolic links a lookup follows, the same as on Linux.
const maxLinks = 40

// target returns what an entry leads to.
func (d *memDir) target(name string) (*kernel.Inode, error) {
	if err := kernel.CheckName(name); err != nil {
		return nil, err
	}
	return d.follow(name)
}

// follow returns what a path leads to, from the directory.
func (d *memDir) follow(path string) (*kernel.Inode, error) {
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
			at = at.Parent
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
		if strings.HasPrefix(n.Target, "/") {
			at = d.m.root
		}
		if more {
			rest = n.Target + "/" + rest
		} else {
			rest, more = n.Target, true
		}
	}
	return at, nil
}

func (d *memDir) stat(name string) (vfs.Attr, error) {
	return result(&d.handle, "stat", name, func() (vfs.Attr, error) {
		if name == "." {
			return d.kernel.Attr(d.node), nil
		}
		n, err := d.target(name)
		if err != nil {
			return vfs.Attr{}, err
		}
		return d.kernel.Attr(n), nil
	})
}
