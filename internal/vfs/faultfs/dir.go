package faultfs

import (
	"cmp"
	"io/fs"
	"time"

	"psync/internal/vfs"
)

// hookedDir calls a hook before each operation of a Dir and of all that is opened
// through it. Where the Dir within does not offer one, the hook does not hear of it.
type hookedDir struct {
	vfs.Dir
	self  *place
	hook  hook
	lacks vfs.Caps // what is hidden of the Dir within
}

// Unwrap returns the Dir within, for operations that need to know both directories.
func (d *hookedDir) Unwrap() vfs.Dir { return d.Dir }

func (d *hookedDir) Caps() vfs.Caps { return d.Dir.Caps() &^ d.lacks }

// before calls the hook before an operation on an entry.
func (d *hookedDir) before(op, name string) error { return d.hook.call(op, place{d.self, name}) }

// offer does so before one that not every Dir offers.
func (d *hookedDir) offer(c vfs.Caps, op, name string) error {
	return d.hook.offer(d.Caps(), c, op, place{d.self, name})
}

// dir returns what was opened as one that is watched, too.
func (d *hookedDir) dir(name string, sub vfs.Dir, err error) (vfs.Dir, error) {
	if err != nil {
		return nil, err
	}
	return &hookedDir{sub, &place{d.self, name}, d.hook, d.lacks}, nil
}

// file does so for a file whose close is called op.
func (d *hookedDir) file(name, op string, f vfs.File, err error) (vfs.File, error) {
	if err != nil {
		return nil, err
	}
	return &hookedFile{innerFile{f}, hookedMeta{f, f.Caps() &^ d.lacks, place{d.self, name}, d.hook}, op}, nil
}

func (d *hookedDir) Lstat(name string) (vfs.Attr, error) {
	if err := d.before("lstat", name); err != nil {
		return vfs.Attr{}, err
	}
	return d.Dir.Lstat(name)
}

func (d *hookedDir) Stat(name string) (vfs.Attr, error) {
	if err := d.offer(vfs.CanFollow, "stat", name); err != nil {
		return vfs.Attr{}, err
	}
	return d.Dir.Stat(name)
}

func (d *hookedDir) ReadDir(yield func([]vfs.Entry) error) error {
	if err := d.before("readdir", "."); err != nil {
		return err
	}
	return d.Dir.ReadDir(yield)
}

func (d *hookedDir) OpenDir(name string) (vfs.Dir, error) {
	if err := d.before("opendir", name); err != nil {
		return nil, err
	}
	sub, err := d.Dir.OpenDir(name)
	return d.dir(name, sub, err)
}

func (d *hookedDir) OpenDirWithin(name string) (vfs.Dir, error) {
	if err := d.offer(vfs.CanConfine, "opendir", name); err != nil {
		return nil, err
	}
	sub, err := d.Dir.OpenDirWithin(name)
	return d.dir(name, sub, err)
}

func (d *hookedDir) OpenParent() (vfs.Dir, error) {
	if err := d.offer(vfs.CanOpenParent, "openparent", ".."); err != nil {
		return nil, err
	}
	up, err := d.Dir.OpenParent()
	return d.dir("..", up, err)
}

func (d *hookedDir) FollowDir(name string) (vfs.Dir, error) {
	if err := d.offer(vfs.CanFollow, "followdir", name); err != nil {
		return nil, err
	}
	sub, err := d.Dir.FollowDir(name)
	return d.dir(name, sub, err)
}

func (d *hookedDir) Open(name string) (vfs.File, error) {
	if err := d.before("open", name); err != nil {
		return nil, err
	}
	f, err := d.Dir.Open(name)
	return d.file(name, "rclose", f, err)
}

func (d *hookedDir) FollowFile(name string) (vfs.File, error) {
	if err := d.offer(vfs.CanFollow, "followfile", name); err != nil {
		return nil, err
	}
	f, err := d.Dir.FollowFile(name)
	return d.file(name, "rclose", f, err)
}

func (d *hookedDir) Create(name string, perm fs.FileMode) (vfs.File, error) {
	if err := d.before("create", name); err != nil {
		return nil, err
	}
	f, err := d.Dir.Create(name, perm)
	return d.file(name, "fclose", f, err)
}

func (d *hookedDir) OpenCreate(name string, perm fs.FileMode) (vfs.File, error) {
	if err := d.offer(vfs.CanOpenCreate, "create", name); err != nil {
		return nil, err
	}
	f, err := d.Dir.OpenCreate(name, perm)
	return d.file(name, "fclose", f, err)
}

func (d *hookedDir) Rewrite(name string) (vfs.File, error) {
	if err := d.offer(vfs.CanRewrite, "rewrite", name); err != nil {
		return nil, err
	}
	f, err := d.Dir.Rewrite(name)
	return d.file(name, "fclose", f, err)
}

func (d *hookedDir) CloneFile(src vfs.File, name string, owner bool) (vfs.File, error) {
	if err := d.offer(vfs.CanCloneFile, "clonefile", name); err != nil {
		return nil, err
	}
	f, err := d.Dir.CloneFile(src, name, owner)
	return d.file(name, "fclose", f, err)
}

func (d *hookedDir) Node(name string) (vfs.Node, error) {
	if err := d.offer(vfs.CanNode, "node", name); err != nil {
		return nil, err
	}
	n, err := d.Dir.Node(name)
	if err != nil {
		return nil, err
	}
	return &hookedNode{hookedMeta{n, d.Caps(), place{d.self, name}, d.hook}}, nil
}

func (d *hookedDir) Mkdir(name string, perm fs.FileMode) error {
	if err := d.before("mkdir", name); err != nil {
		return err
	}
	return d.Dir.Mkdir(name, perm)
}

func (d *hookedDir) Mknod(name string, mode fs.FileMode, dev uint64) error {
	if err := d.offer(vfs.CanMknod, "mknod", name); err != nil {
		return err
	}
	return d.Dir.Mknod(name, mode, dev)
}

func (d *hookedDir) Symlink(target, name string) error {
	if err := d.before("symlink", name); err != nil {
		return err
	}
	return d.Dir.Symlink(target, name)
}

func (d *hookedDir) Readlink(name string) (string, error) {
	if err := d.before("readlink", name); err != nil {
		return "", err
	}
	return d.Dir.Readlink(name)
}

func (d *hookedDir) Link(oldDir vfs.Dir, oldname, newname string) error {
	if err := d.offer(vfs.CanLink, "link", newname); err != nil {
		return err
	}
	return d.Dir.Link(oldDir, oldname, newname)
}

func (d *hookedDir) Rename(oldname, newname string) error {
	if err := d.before("rename", newname); err != nil {
		return err
	}
	return d.Dir.Rename(oldname, newname)
}

func (d *hookedDir) Move(oldname string, newDir vfs.Dir, newname string) error {
	if err := d.offer(vfs.CanMove, "move", newname); err != nil {
		return err
	}
	return d.Dir.Move(oldname, newDir, newname)
}

func (d *hookedDir) Remove(name string) error {
	if err := d.before("remove", name); err != nil {
		return err
	}
	return d.Dir.Remove(name)
}

func (d *hookedDir) Rmdir(name string) error {
	if err := d.before("rmdir", name); err != nil {
		return err
	}
	return d.Dir.Rmdir(name)
}

func (d *hookedDir) Chmod(name string, mode fs.FileMode) error {
	if err := d.before("chmod", name); err != nil {
		return err
	}
	return d.Dir.Chmod(name, mode)
}

func (d *hookedDir) Lchown(name string, uid, gid int) error {
	if err := d.before("lchown", name); err != nil {
		return err
	}
	return d.Dir.Lchown(name, uid, gid)
}

func (d *hookedDir) Chtimes(name string, atime, mtime time.Time) error {
	if err := d.before("chtimes", name); err != nil {
		return err
	}
	return d.Dir.Chtimes(name, atime, mtime)
}

func (d *hookedDir) SyncVolume() error {
	if err := d.offer(vfs.CanSyncVolume, "sync", "."); err != nil {
		return err
	}
	return d.Dir.SyncVolume()
}

func (d *hookedDir) Close() error {
	return cmp.Or(d.hook.call("close", *d.self), d.Dir.Close())
}
