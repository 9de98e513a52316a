package memfs

import (
	"errors"
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

// memDir is a [vfs.Dir] on a [FS].
type memDir struct {
	vfs.UnsupportedDir
	handle
}

// on runs f on an existing entry.
func (d *memDir) on(op, name string, f func(*inode) error) error {
	return d.do(op, name, func() error {
		n, err := d.lookup(d.node, name)
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

func (d *memDir) Caps() vfs.Caps { return memCaps }

func (d *memDir) Lstat(name string) (a vfs.Attr, err error) {
	err = d.onSelf("lstat", name, func(n *inode) error {
		a = d.kernel.attr(n)
		return nil
	})
	return a, err
}

// ReadDir yields the entries in falling order, the same for every run but not
// the order that a careless caller would hope for.
func (d *memDir) ReadDir(yield func([]vfs.Entry) error) error {
	var list []vfs.Entry
	err := d.do("readdir", ".", func() error {
		if err := d.kernel.fetch(d.node); err != nil {
			return err
		}
		for name, n := range d.node.entries.all() {
			list = append(list, vfs.Entry{Name: name, Type: n.Mode.Type()})
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
	var sub vfs.Dir
	err := d.on("opendir", name, func(n *inode) error {
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

// OpenParent implements [vfs.Dir].
func (d *memDir) OpenParent() (vfs.Dir, error) {
	var up vfs.Dir
	err := d.do("open", "..", func() error {
		if d.node.parent == nil || d.node.Nlink == 0 {
			return syscall.ENOENT
		}
		up = d.openDirLocked(d.node.parent, "..")
		return nil
	})
	return up, err
}

// Open opens whatever is no symbolic link, as a system does that is asked not to
// follow one: telling a regular file from a pipe is left to the caller.
func (d *memDir) Open(name string) (vfs.File, error) {
	var f vfs.File
	err := d.on("open", name, func(n *inode) error {
		if n.Mode.Type() == fs.ModeSymlink {
			return syscall.ELOOP
		}
		if err := d.kernel.may(n, rightRead); err != nil {
			return err
		}
		f = d.openFileLocked(n, name, true, false)
		return nil
	})
	return f, err
}

// Rewrite opens whatever is neither a symbolic link nor a directory.
func (d *memDir) Rewrite(name string) (vfs.File, error) {
	var f vfs.File
	err := d.on("rewrite", name, func(n *inode) error {
		switch n.Mode.Type() {
		case fs.ModeSymlink:
			return syscall.ELOOP
		case fs.ModeDir:
			return syscall.EISDIR
		}
		if err := d.kernel.may(n, rightRead|rightWrite); err != nil {
			return err
		}
		f = d.openFileLocked(n, name, true, true)
		return nil
	})
	return f, err
}

func (d *memDir) Create(name string, perm fs.FileMode) (vfs.File, error) {
	var f vfs.File
	err := d.do("create", name, func() error {
		n, err := d.makeLocked(d.node, name, perm.Perm())
		if err != nil {
			return err
		}
		f = d.openFileLocked(n, name, false, true)
		return nil
	})
	return f, err
}

func (d *memDir) Mkdir(name string, perm fs.FileMode) error {
	return d.do("mkdir", name, func() error {
		_, err := d.makeLocked(d.node, name, fs.ModeDir|perm.Perm())
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
		n, err := d.makeLocked(d.node, name, fs.ModeSymlink|0o777)
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
	return d.on("rename", oldname, func(n *inode) error { return d.moveLocked(n, d.node, oldname, d.node, newname) })
}

func (d *memDir) Remove(name string) error {
	return d.on("remove", name, func(n *inode) error {
		if n.Mode.IsDir() {
			return syscall.EISDIR
		}
		return d.unlinkLocked(d.node, name, n)
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
		return d.unlinkLocked(d.node, name, n)
	})
}

func (d *memDir) Chmod(name string, mode fs.FileMode) error {
	return d.onSelf("chmod", name, func(n *inode) error {
		if n.Mode.Type() == fs.ModeSymlink {
			return errors.ErrUnsupported
		}
		return d.changed(n, d.kernel.chmod(n, mode))
	})
}

func (d *memDir) Lchown(name string, uid, gid int) error {
	return d.onSelf("lchown", name, func(n *inode) error { return d.changed(n, d.kernel.chown(n, uid, gid)) })
}

func (d *memDir) Chtimes(name string, atime, mtime time.Time) error {
	return d.onSelf("chtimes", name, func(n *inode) error { return d.changed(n, d.kernel.chtimes(n, atime, mtime)) })
}
