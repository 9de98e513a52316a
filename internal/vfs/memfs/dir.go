package memfs

import (
	"errors"
	"io/fs"
	"strings"
	"syscall"

	"psync/internal/vfs"
	"psync/internal/vfs/memfs/kernel"
)

// opener returns an f for open.
func (d *memDir) opener(want kernel.Rights) func(*kernel.Inode, string) (vfs.File, error) {
	return func(n *kernel.Inode, name string) (vfs.File, error) { return d.openFile(n, name, want) }
}

func (d *memDir) Caps() vfs.Caps { return memCaps | d.kernel.Caps() }

func (d *memDir) Statfs() (vfs.Volume, error) {
	return result(&d.handle, "statfs", ".", func() (vfs.Volume, error) {
		v, err := d.kernel.Volume()
		if err != nil {
			return vfs.Volume{}, err
		}
		v.RootIno = d.m.root.Ino
		return v, nil
	})
}

func (d *memDir) lstat(name string) (vfs.Attr, error) {
	return result(&d.handle, "lstat", name, func() (vfs.Attr, error) {
		n, err := d.entry(name)
		if err != nil {
			return vfs.Attr{}, err
		}
		return d.kernel.Attr(n), nil
	})
}

func (d *memDir) Statx(name string, want vfs.StatxWant) (vfs.Attr, error) {
	switch want {
	case vfs.StatxID:
		return vfs.Attr{}, &fs.PathError{Op: "lstat", Path: name, Err: errors.ErrUnsupported}
	case vfs.StatxFollow:
		return d.stat(name)
	}
	return d.lstat(name)
}

func (d *memDir) OpenDir(name string, how vfs.Resolve) (vfs.Dir, error) {
	switch how {
	case vfs.Follow:
		return result(&d.handle, "followdir", name, func() (vfs.Dir, error) {
			n, err := d.target(name)
			if err != nil {
				return nil, err
			}
			return d.openDir(n, name)
		})
	case vfs.Parent:
		return result(&d.handle, "open", "..", func() (vfs.Dir, error) {
			if d.node.Nlink == 0 {
				return nil, syscall.ENOENT
			}
			return d.newDir(d.node.Parent, ".."), nil
		})
	}
	return open(d, "opendir", name, d.openDir)
}

// OpenFile opens special files, too, as a system does: the caller must distinguish a regular file from a pipe.
func (d *memDir) OpenFile(name string, mode vfs.OpenMode, perm fs.FileMode) (vfs.File, error) {
	switch mode {
	case vfs.ReadOnly:
		return open(d, "open", name, d.opener(kernel.RightRead))
	case vfs.ReadFollow:
		return result(&d.handle, "followfile", name, func() (vfs.File, error) {
			n, err := d.target(name)
			if err != nil {
				return nil, err
			}
			return d.openFile(n, name, kernel.RightRead)
		})
	case vfs.ReadWrite:
		return open(d, "rewrite", name, d.opener(kernel.RightRead|kernel.RightWrite))
	case vfs.OpenCreate:
		f, err := open(d, "create", name, d.opener(kernel.RightWrite))
		if !errors.Is(err, fs.ErrNotExist) {
			return f, err
		}
	case vfs.CreateAsync:
		return nil, errors.ErrUnsupported
	}
	return result(&d.handle, "create", name, func() (vfs.File, error) {
		n, err := d.add(d.node, name, perm.Perm())
		if err != nil {
			return nil, err
		}
		return d.newFile(n, name, false, true), nil
	})
}

func (d *memDir) Make(name string, s vfs.Spec) error {
	switch s.Mode.Type() {
	case fs.ModeDir:
		return d.do("mkdir", name, func() error {
			_, err := d.add(d.node, name, fs.ModeDir|s.Mode.Perm())
			return err
		})
	case fs.ModeSymlink:
		return d.symlink(s.Target, name)
	}
	return d.mknod(name, s.Mode, s.Dev)
}

func (d *memDir) symlink(target, name string) error {
	return d.do("symlink", name, func() error {
		switch {
		case target == "":
			return syscall.ENOENT
		case strings.ContainsRune(target, 0):
			return syscall.EINVAL
		}
		n, err := d.add(d.node, name, fs.ModeSymlink|0o777)
		if err != nil {
			return err
		}
		n.Target = target
		return nil
	})
}

func (d *memDir) mknod(name string, mode fs.FileMode, dev uint64) error {
	return d.do("mknod", name, func() error {
		if err := d.kernel.Mknod(mode); err != nil {
			return err
		}
		switch mode.Type() {
		case fs.ModeNamedPipe, fs.ModeSocket:
			dev = 0
		case fs.ModeDevice, fs.ModeDevice | fs.ModeCharDevice:
		default:
			return syscall.EINVAL
		}
		n, err := d.add(d.node, name, mode.Type()|mode.Perm())
		if err != nil {
			return err
		}
		n.Rdev = dev
		return nil
	})
}

func (d *memDir) Readlink(name string) (string, error) {
	return open(d, "readlink", name, func(n *kernel.Inode, _ string) (string, error) {
		if n.Mode.Type() != fs.ModeSymlink {
			return "", syscall.EINVAL
		}
		return n.Target, nil
	})
}

func (d *memDir) Remove(name string, only *vfs.Premise) error {
	if err := vfs.CheckRemoved(d, name, only); err != nil {
		return err
	}
	return d.on("remove", name, func(n *kernel.Inode) error {
		if n.Mode.IsDir() {
			return syscall.EISDIR
		}
		return d.unlink(d.node, name, n)
	})
}

func (d *memDir) Rmdir(name string) error {
	return d.on("rmdir", name, func(n *kernel.Inode) error {
		switch {
		case !n.Mode.IsDir():
			return syscall.ENOTDIR
		case n.Entries.Count() > 0:
			return syscall.ENOTEMPTY
		}
		return d.unlink(d.node, name, n)
	})
}

// Set makes only the changes that need be supported.
func (d *memDir) Set(name string, changes []vfs.Change) []error {
	return vfs.SetEach(changes, func(c *vfs.Change) error {
		return d.change(c.Kind.String(), name, func(n *kernel.Inode) error {
			if c.Kind > vfs.TimesChange || c.Kind == vfs.ModeChange && n.Mode.Type() == fs.ModeSymlink {
				return errors.ErrUnsupported
			}
			return kernel.Set(d.kernel, n, c)
		})
	})
}
