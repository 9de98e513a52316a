package faultfs

import (
	"cmp"
	"errors"
	"io/fs"

	"psync/internal/vfs"
)

// hookedDir calls a hook before each operation of a Dir and of all that is opened
// through it, unless the caps of the Dir within say that it does not offer the operation.
type hookedDir struct {
	vfs.Dir
	self  *place
	hook  hook
	lacks vfs.Caps // what is hidden of the Dir within
}

// Unwrap returns the Dir within, for operations that need to know both directories.
func (d *hookedDir) Unwrap() vfs.Dir { return d.Dir }

// Caps hides asynchronous calls, CopyPlain and QuickCheck: their faults come from a Dir around this one, as those of asyncfs and
// plainfs.
func (d *hookedDir) Caps() vfs.Caps {
	return d.Dir.Caps() &^ (d.lacks | vfs.CanCreateAsync | vfs.CanMkdirAsync | vfs.CanCopyPlain)
}

func (d *hookedDir) CopyPlain(_ vfs.Dir, name string, o *vfs.PlainOptions) (int64, error) {
	op := "create"
	if o.Dir != nil {
		op = "mkdir"
	}
	return 0, d.offer(vfs.CanCopyPlain, op, name)
}

func (d *hookedDir) QuickCheck(vfs.Dir, string, *vfs.QuickCheckOptions) (int64, bool) {
	return 0, false
}

// before calls the hook before an operation on an entry.
func (d *hookedDir) before(op, name string) error { return d.hook.call(op, place{d.self, name}) }

// offer does so before one that not every Dir offers.
func (d *hookedDir) offer(c vfs.Caps, op, name string) error {
	return d.hook.offer(d.Caps(), c, op, place{d.self, name})
}

// file opens a file that is watched, too, if err is nil. Its close is called op.
func (d *hookedDir) file(name, op string, err error, open func(name string) (vfs.File, error)) (vfs.File, error) {
	f, err := get(err, open, name)
	if err != nil {
		return nil, err
	}
	return &hookedFile{innerFile{f}, hookedMeta{f, f.Caps() &^ d.lacks, place{d.self, name}, d.hook}, op}, nil
}

func (d *hookedDir) Node(name string) (vfs.Node, error) {
	n, err := get(d.offer(vfs.CanNode, "node", name), d.Dir.Node, name)
	if err != nil {
		return nil, err
	}
	return &hookedNode{hookedMeta{n, d.Caps(), place{d.self, name}, d.hook}}, nil
}

// Statx calls the hook by the names lstat and stat, and not for an identity.
func (d *hookedDir) Statx(name string, want vfs.StatxWant) (vfs.Attr, error) {
	var err error
	switch want {
	case vfs.StatxAll, vfs.StatxFresh:
		err = d.before("lstat", name)
	case vfs.StatxFollow:
		err = d.before("stat", name)
	}
	if err != nil {
		return vfs.Attr{}, err
	}
	return d.Dir.Statx(name, want)
}

func (d *hookedDir) Readlink(name string) (string, error) {
	return get(d.before("readlink", name), d.Dir.Readlink, name)
}

// Remove calls the hook for a look, too, if there is a premise.
func (d *hookedDir) Remove(name string, only *vfs.Premise) error {
	return unless(vfs.CheckRemoved(d, name, only), func() error {
		return unless(d.before("remove", name), func() error { return d.Dir.Remove(name, nil) })
	})
}

func (d *hookedDir) Rmdir(name string) error { return set(d.before("rmdir", name), d.Dir.Rmdir, name) }

func (d *hookedDir) SyncVolume() error {
	return unless(d.before("sync", "."), d.Dir.SyncVolume)
}

func (d *hookedDir) Close() error { return cmp.Or(d.hook.call("close", *d.self), d.Dir.Close()) }

func (d *hookedDir) ReadDir(yield func([]vfs.Entry) error) error {
	return set(d.before("readdir", "."), d.Dir.ReadDir, yield)
}

func (d *hookedDir) OpenDir(name string, how vfs.Resolve) (vfs.Dir, error) {
	op := "opendir"
	switch how {
	case vfs.Follow:
		op = "followdir"
	case vfs.Parent:
		op = "openparent"
	}
	if err := d.before(op, name); err != nil {
		return nil, err
	}
	sub, err := d.Dir.OpenDir(name, how)
	if err != nil {
		return nil, err
	}
	return &hookedDir{sub, &place{d.self, name}, d.hook, d.lacks}, nil
}

func (d *hookedDir) OpenFile(name string, mode vfs.OpenMode, perm fs.FileMode) (vfs.File, error) {
	op := [...]string{
		vfs.ReadOnly: "open", vfs.ReadFollow: "followfile", vfs.ReadWrite: "rewrite",
		vfs.Create: "create", vfs.OpenCreate: "create", vfs.CreateAsync: "create",
	}[mode]
	closeOp := "rclose"
	if mode.Writes() {
		closeOp = "fclose"
	}
	return d.file(name, closeOp, d.offer(mode.Needs(), op, name), func(string) (vfs.File, error) { return d.Dir.OpenFile(name, mode, perm) })
}

func (d *hookedDir) CloneFile(src vfs.File, name string, owner bool) (vfs.File, error) {
	return d.file(name, "fclose", d.offer(vfs.CanCloneFile, "clonefile", name), func(string) (vfs.File, error) { return d.Dir.CloneFile(src, name, owner) })
}

// Make calls the hook by the name that [vfs.Spec.Op] returns. Nothing is asynchronous.
func (d *hookedDir) Make(name string, s vfs.Spec) error {
	needs := vfs.Caps(0)
	if s.Op() == "mknod" {
		needs = vfs.CanMknod
	}
	s.Async = false
	return unless(d.offer(needs, s.Op(), name), func() error { return d.Dir.Make(name, s) })
}

func (d *hookedDir) MakeDirs([]vfs.NewDir) (func() []error, error) { return nil, errors.ErrUnsupported }

func (d *hookedDir) Link(oldDir vfs.Dir, oldname, newname string) error {
	return unless(d.offer(vfs.CanLink, "link", newname), func() error { return d.Dir.Link(oldDir, oldname, newname) })
}

// Rename calls the hook for a look, too, if there is a premise.
func (d *hookedDir) Rename(oldname string, to vfs.Dir, newname string, only *vfs.Premise) error {
	op, in := "rename", vfs.Dir(d)
	if to != nil {
		op, in = "move", to
	}
	return unless(vfs.CheckReplaced(in, newname, only), func() error {
		return unless(d.before(op, newname), func() error { return d.Dir.Rename(oldname, to, newname, nil) })
	})
}

// Set calls the hook before each change.
func (d *hookedDir) Set(name string, changes []vfs.Change) []error {
	return vfs.SetEach(changes, func(c *vfs.Change) error {
		return unless(d.before(c.Kind.String(), name), func() error { return vfs.SetOne(vfs.In(d.Dir, name), *c) })
	})
}
