package vfstest

import (
	"io/fs"
	"slices"
	"strings"
	"syscall"
	"time"

	"psync/internal/vfs"
)

// listChunk is how many entries ReadDir yields at a time: few, so that small
// tests see more than one chunk.
const listChunk = 100

// memDir is a [vfs.Dir] on a [Mem].
type memDir struct{ handle }

// on runs f on an existing entry.
func (d *memDir) on(op, name string, f func(*inode) error) error {
	return d.do(op, name, func() error {
		n, err := d.node.lookup(name)
		if err != nil {
			return err
		}
		return f(n)
	})
}

// onSelf is like on, and takes "." for the directory itself.
func (d *memDir) onSelf(op, name string, f func(*inode) error) error {
	if name == "." {
		return d.do(op, name, func() error { return f(d.node) })
	}
	return d.on(op, name, f)
}

func (d *memDir) Lstat(name string) (a vfs.Attr, err error) {
	err = d.onSelf("lstat", name, func(n *inode) error {
		a = n.attr()
		return nil
	})
	return a, err
}

// ReadDir yields the entries in falling order, the same for every run but not
// the order that a careless caller would hope for.
func (d *memDir) ReadDir(yield func([]vfs.Entry) error) error {
	var list []vfs.Entry
	err := d.do("readdir", ".", func() error {
		for _, e := range d.node.entries.byKey {
			list = append(list, vfs.Entry{Name: e.name, Type: e.node.Mode.Type()})
		}
		return nil
	})
	if err != nil {
		return err
	}
	slices.SortFunc(list, func(a, b vfs.Entry) int { return strings.Compare(b.Name, a.Name) })
	for chunk := range slices.Chunk(list, listChunk) {
		if err := yield(chunk); err != nil {
			return err
		}
		clear(chunk) // whoever kept it finds out
	}
	return nil
}

func (d *memDir) OpenDir(name string) (vfs.Dir, error) {
	var sub *memDir
	err := d.on("opendir", name, func(n *inode) error {
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

// Open opens whatever is no symbolic link, as a system does that is asked not to
// follow one: telling a regular file from a pipe is left to the caller.
func (d *memDir) Open(name string) (vfs.File, error) {
	var f *memFile
	err := d.on("open", name, func(n *inode) error {
		if n.Mode.Type() == fs.ModeSymlink {
			return syscall.ELOOP
		}
		f = &memFile{handle: d.m.openLocked(n, name), readable: true}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return f, nil
}

// Rewrite opens whatever is neither a symbolic link nor a directory.
func (d *memDir) Rewrite(name string) (vfs.File, error) {
	var f *memFile
	err := d.on("rewrite", name, func(n *inode) error {
		switch n.Mode.Type() {
		case fs.ModeSymlink:
			return syscall.ELOOP
		case fs.ModeDir:
			return syscall.EISDIR
		}
		f = &memFile{handle: d.m.openLocked(n, name), readable: true, writable: true}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return f, nil
}

func (d *memDir) Create(name string, perm fs.FileMode) (vfs.File, error) {
	var f *memFile
	err := d.do("create", name, func() error {
		n, err := d.m.makeLocked(d.node, name, perm.Perm())
		if err != nil {
			return err
		}
		f = &memFile{handle: d.m.openLocked(n, name), writable: true}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return f, nil
}

func (d *memDir) Mkdir(name string, perm fs.FileMode) error {
	return d.do("mkdir", name, func() error {
		_, err := d.m.makeLocked(d.node, name, fs.ModeDir|perm.Perm())
		return err
	})
}

func (d *memDir) Symlink(target, name string) error {
	return d.do("symlink", name, func() error {
		switch {
		case target == "":
			return syscall.ENOENT
		case strings.ContainsRune(target, 0):
			return syscall.EINVAL
		}
		n, err := d.m.makeLocked(d.node, name, fs.ModeSymlink|0o777)
		if err != nil {
			return err
		}
		n.target = target
		return nil
	})
}

func (d *memDir) Readlink(name string) (target string, err error) {
	err = d.on("readlink", name, func(n *inode) error {
		if n.Mode.Type() != fs.ModeSymlink {
			return syscall.EINVAL
		}
		target = n.target
		return nil
	})
	return target, err
}

func (d *memDir) Rename(oldname, newname string) error {
	return d.on("rename", oldname, func(n *inode) error { return d.m.moveLocked(n, d.node, oldname, d.node, newname) })
}

func (d *memDir) Remove(name string) error {
	return d.on("remove", name, func(n *inode) error {
		if n.Mode.IsDir() {
			return syscall.EISDIR
		}
		d.m.unlinkLocked(d.node, name, n)
		return nil
	})
}

func (d *memDir) Rmdir(name string) error {
	return d.on("rmdir", name, func(n *inode) error {
		switch {
		case !n.Mode.IsDir():
			return syscall.ENOTDIR
		case n.entries.len() > 0:
			return syscall.ENOTEMPTY
		}
		d.m.unlinkLocked(d.node, name, n)
		return nil
	})
}

func (d *memDir) Chmod(name string, mode fs.FileMode) error {
	return d.onSelf("chmod", name, func(n *inode) error { return n.chmod(mode) })
}

func (d *memDir) Lchown(name string, uid, gid int) error {
	return d.onSelf("lchown", name, func(n *inode) error { return n.chown(uid, gid) })
}

func (d *memDir) Chtimes(name string, atime, mtime time.Time) error {
	return d.onSelf("chtimes", name, func(n *inode) error { return n.chtimes(atime, mtime) })
}
