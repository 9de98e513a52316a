package vfstest

import (
	"cmp"
	"errors"
	"io/fs"
	"time"

	"psync/internal/vfs"
)

// A hook is called before each operation, which its error prevents.
type hook func(op, name string) error

func (h hook) call(op, name string) error {
	if h == nil {
		return nil
	}
	if err := h(op, name); err != nil {
		return &fs.PathError{Op: op, Path: name, Err: err}
	}
	return nil
}

// unsupported is the error of an ability that the inner Dir or File does not have.
func unsupported(op, name string) error {
	return &fs.PathError{Op: op, Path: name, Err: errors.ErrUnsupported}
}

// hookedDir calls a hook before each operation of a Dir and of all that is opened
// through it. It offers [vfs.DefaultACLChecker], [vfs.Statfser], [vfs.VolumeSyncer], [vfs.NodeDir], [vfs.Mknoder] and
// [vfs.FileCloner]; where the inner Dir does not, they answer false and
// [errors.ErrUnsupported], and the hook does not hear of them. Other abilities are
// added by wrapDir.
type hookedDir struct {
	inner vfs.Dir
	name  string // that it was opened by
	hook  hook
}

// Unwrap returns the Dir within, for abilities that need to know both directories.
func (d *hookedDir) Unwrap() vfs.Dir { return d.inner }

func (d *hookedDir) Caps() vfs.Caps { return d.inner.Caps() }

func (d *hookedDir) Lstat(name string) (vfs.Attr, error) {
	if err := d.hook.call("lstat", name); err != nil {
		return vfs.Attr{}, err
	}
	return d.inner.Lstat(name)
}

func (d *hookedDir) ReadDir(yield func([]vfs.Entry) error) error {
	if err := d.hook.call("readdir", "."); err != nil {
		return err
	}
	return d.inner.ReadDir(yield)
}

func (d *hookedDir) OpenDir(name string) (vfs.Dir, error) {
	if err := d.hook.call("opendir", name); err != nil {
		return nil, err
	}
	sub, err := d.inner.OpenDir(name)
	if err != nil {
		return nil, err
	}
	return wrapDir(&hookedDir{sub, name, d.hook}), nil
}

func (d *hookedDir) Open(name string) (vfs.File, error) {
	if err := d.hook.call("open", name); err != nil {
		return nil, err
	}
	f, err := d.inner.Open(name)
	if err != nil {
		return nil, err
	}
	return newHookedFile(f, name, "rclose", d.hook), nil
}

func (d *hookedDir) Create(name string, perm fs.FileMode) (vfs.File, error) {
	if err := d.hook.call("create", name); err != nil {
		return nil, err
	}
	f, err := d.inner.Create(name, perm)
	if err != nil {
		return nil, err
	}
	return newHookedFile(f, name, "fclose", d.hook), nil
}

func (d *hookedDir) Mkdir(name string, perm fs.FileMode) error {
	if err := d.hook.call("mkdir", name); err != nil {
		return err
	}
	return d.inner.Mkdir(name, perm)
}

func (d *hookedDir) Symlink(target, name string) error {
	if err := d.hook.call("symlink", name); err != nil {
		return err
	}
	return d.inner.Symlink(target, name)
}

func (d *hookedDir) Readlink(name string) (string, error) {
	if err := d.hook.call("readlink", name); err != nil {
		return "", err
	}
	return d.inner.Readlink(name)
}

func (d *hookedDir) Rename(oldname, newname string) error {
	if err := d.hook.call("rename", newname); err != nil {
		return err
	}
	return d.inner.Rename(oldname, newname)
}

func (d *hookedDir) Remove(name string) error {
	if err := d.hook.call("remove", name); err != nil {
		return err
	}
	return d.inner.Remove(name)
}

func (d *hookedDir) Rmdir(name string) error {
	if err := d.hook.call("rmdir", name); err != nil {
		return err
	}
	return d.inner.Rmdir(name)
}

func (d *hookedDir) Chmod(name string, mode fs.FileMode) error {
	if err := d.hook.call("chmod", name); err != nil {
		return err
	}
	return d.inner.Chmod(name, mode)
}

func (d *hookedDir) Lchown(name string, uid, gid int) error {
	if err := d.hook.call("lchown", name); err != nil {
		return err
	}
	return d.inner.Lchown(name, uid, gid)
}

func (d *hookedDir) Chtimes(name string, atime, mtime time.Time) error {
	if err := d.hook.call("chtimes", name); err != nil {
		return err
	}
	return d.inner.Chtimes(name, atime, mtime)
}

func (d *hookedDir) Close() error {
	return cmp.Or(d.hook.call("close", d.name), d.inner.Close())
}

func (d *hookedDir) HasDefaultACL() bool {
	m, ok := d.inner.(vfs.DefaultACLChecker)
	return ok && m.HasDefaultACL()
}

func (d *hookedDir) SyncVolume() error {
	s, ok := d.inner.(vfs.VolumeSyncer)
	if !ok {
		return unsupported("sync", ".")
	}
	if err := d.hook.call("sync", "."); err != nil {
		return err
	}
	return s.SyncVolume()
}

func (d *hookedDir) Statfs() (vfs.Volume, error) {
	if s, ok := d.inner.(vfs.Statfser); ok {
		return s.Statfs()
	}
	return vfs.Volume{}, unsupported("statfs", ".")
}
