package vfstest

import "psync/internal/vfs"

type hookedFollower struct {
	dir  *hookedDir
	able vfs.Follower
}

func (f hookedFollower) Stat(name string) (vfs.Attr, error) {
	if err := f.dir.hook.call("stat", name); err != nil {
		return vfs.Attr{}, err
	}
	return f.able.Stat(name)
}

func (f hookedFollower) FollowDir(name string) (vfs.Dir, error) {
	if err := f.dir.hook.call("followdir", name); err != nil {
		return nil, err
	}
	sub, err := f.able.FollowDir(name)
	if err != nil {
		return nil, err
	}
	return wrapDir(&hookedDir{sub, name, f.dir.hook}), nil
}

func (f hookedFollower) FollowFile(name string) (vfs.File, error) {
	if err := f.dir.hook.call("followfile", name); err != nil {
		return nil, err
	}
	file, err := f.able.FollowFile(name)
	if err != nil {
		return nil, err
	}
	return newHookedFile(file, name, "rclose", f.dir.hook), nil
}

type hookedLinker struct {
	dir  *hookedDir
	able vfs.Linker
}

func (l hookedLinker) Link(oldDir vfs.Dir, oldname, newname string) error {
	if err := l.dir.hook.call("link", newname); err != nil {
		return err
	}
	return l.able.Link(oldDir, oldname, newname)
}

type hookedMover struct {
	dir  *hookedDir
	able vfs.Mover
}

func (m hookedMover) Move(oldname string, newDir vfs.Dir, newname string) error {
	if err := m.dir.hook.call("move", newname); err != nil {
		return err
	}
	return m.able.Move(oldname, newDir, newname)
}

type hookedRewriter struct {
	dir  *hookedDir
	able vfs.Rewriter
}

func (r hookedRewriter) Rewrite(name string) (vfs.File, error) {
	if err := r.dir.hook.call("rewrite", name); err != nil {
		return nil, err
	}
	f, err := r.able.Rewrite(name)
	if err != nil {
		return nil, err
	}
	return newHookedFile(f, name, "fclose", r.dir.hook), nil
}
