package remotefs

import (
	"cmp"
	"errors"
	"io/fs"

	"psync/internal/lazymap"
	"psync/internal/vfs"
	"psync/internal/vfs/remotefs/session"
	"psync/internal/wire"
)

// Make implements [vfs.Dir].
func (d *Dir) Make(name string, s vfs.Spec) error {
	switch {
	case s.Mode.IsDir() && s.Async && d.mayKeepOpen(s.Mode.Perm()):
		if err := d.s.Err(); err != nil { // what is asked for from now on is never made
			return err
		}
		d.mkdirAsync(name, s.Mode.Perm())
		return nil
	case s.Mode.IsDir():
		return d.mkdir(name, s.Mode.Perm())
	}
	return d.changeOne(s.Op(), name, func(t wire.Target) wire.Message {
		if s.Mode.Type() == fs.ModeSymlink {
			return &wire.Symlink{Target: t, To: s.Target}
		}
		return &wire.Mknod{Target: t, Mode: s.Mode, Dev: s.Dev}
	})
}

func (d *Dir) mkdir(name string, perm fs.FileMode) error {
	d.touch(name)
	defer d.touch(name)
	in := d.handle.Use()
	defer d.handle.Release()
	if !d.mayKeepOpen(perm) {
		_, err := session.Ask[*wire.Opened](d.s.Session, &wire.Mkdir{Dir: in, Name: name, Perm: perm})
		return session.PathError("mkdir", name, err)
	}
	h := d.s.NewHandle()
	o := session.Opened(d.s.Session, h)
	a, err := session.Ask[*wire.Opened](d.s.Session, &wire.Mkdir{New: h, Dir: in, Name: name, Perm: perm})
	err = session.PathError("mkdir", name, err)
	if o.Answered(a, err); err != nil {
		o.Release()
		return err
	}
	d.keepMade(name, o)
	return nil
}

// mkdirAsync does not wait for the answer.
func (d *Dir) mkdirAsync(name string, perm fs.FileMode) {
	d.touchAsync(name)
	h := d.s.NewHandle()
	o := session.Opened(d.s.Session, h)
	o.Keep() // for the request
	in := d.handle.Use()
	d.keepMade(name, o)
	d.mu.Lock()
	lazymap.Set(&d.making, name, o)
	d.mu.Unlock()
	session.Post(d.s.Session, &wire.Mkdir{New: h, Dir: in, Name: name, Perm: perm}, func(a *wire.Opened, err error) {
		d.touchAsync(name)
		d.mu.Lock()
		if d.making[name] == o {
			delete(d.making, name)
		}
		d.mu.Unlock()
		o.Answered(a, session.PathError("mkdir", name, err))
		d.handle.Release()
		o.Release()
	})
}

// MakeDirs implements [vfs.Dir]: it does not wait for the answer.
func (d *Dir) MakeDirs(dirs []vfs.NewDir) (wait func() []error, err error) {
	names := make([]string, len(dirs))
	for i := range dirs {
		names[i] = dirs[i].Name
		d.touchAsync(names[i])
	}
	answered := d.s.Start(&wire.MakeDirs{Dir: d.handle.Use(), Dirs: dirs})
	return func() []error {
		r := <-answered
		d.handle.Release()
		for _, name := range names {
			d.touchAsync(name)
		}
		a, err := session.AnswerOf[*wire.MadeDirs](d.s.Session, r.Message, r.Err)
		if err != nil {
			return failEach(names, err)
		}
		return d.failuresOf(names, a)
	}, nil
}

// failuresOf returns the errors of directories that were to be made.
func (d *Dir) failuresOf(names []string, a *wire.MadeDirs) []error {
	if len(a.Failed) == 0 {
		return nil
	}
	errs := make([]error, len(names))
	for _, f := range a.Failed {
		if int(f.Index) >= len(names) || f.Error == nil {
			return failEach(names, d.s.Reject("the failure of a directory that it was not to make"))
		}
		name := names[f.Index]
		if f.Made {
			errs[f.Index] = &vfs.PartialError{Err: session.PathError("setattr", name, f.Error.Err())}
		} else {
			errs[f.Index] = session.PathError("mkdir", name, f.Error.Err())
		}
	}
	return errs
}

// failEach returns err for each directory that was to be made.
func failEach(names []string, err error) []error {
	errs := make([]error, len(names))
	for i, name := range names {
		errs[i] = session.PathError("mkdir", name, err)
	}
	return errs
}

// beforeRename prepares for name to mean a different entry: it opens the directories that were to be opened by that
// name later, and forgets the handle of a directory that was made under it.
func (d *Dir) beforeRename(name string) {
	d.handle.OpenBelow(name)
	if o := d.takeMade(name); o != nil {
		o.Release()
	}
}

// changeOne sends a request that makes, changes or removes the entry called name.
func (d *Dir) changeOne(op, name string, request func(wire.Target) wire.Message) error {
	d.touch(name)
	defer d.touch(name)
	t, done := d.target(name)
	defer done()
	return session.PathError(op, name, d.s.Do(request(t)))
}

// changeTwo sends a request that changes the entry called oldname and the one called newname in to.
func (d *Dir) changeTwo(oldname string, to *Dir, newname string, request func(old, t wire.Target) wire.Message) error {
	d.touch(oldname)
	to.touch(newname)
	defer d.touch(oldname)
	defer to.touch(newname)
	old, doneOld := d.target(oldname)
	defer doneOld()
	t, done := to.target(newname)
	defer done()
	return d.s.Do(request(old, t))
}

// sibling returns the directory of this session behind another handle. If one of them belongs to a session that has ended,
// that is the error.
func (d *Dir) sibling(other vfs.Dir) (*Dir, error) {
	o, ok := vfs.As[*Dir](other)
	switch {
	case !ok:
		return nil, errors.ErrUnsupported
	case o.s != d.s:
		return nil, cmp.Or(d.s.Err(), o.s.Err(), errors.ErrUnsupported)
	}
	return o, nil
}

// Link implements [vfs.Dir]. The entry gets another name and a new change time.
func (d *Dir) Link(oldDir vfs.Dir, oldname, newname string) error {
	from, err := d.sibling(oldDir)
	if err != nil {
		return session.PathError("link", newname, err)
	}
	return session.PathError("link", newname, from.changeTwo(oldname, d, newname, func(old, t wire.Target) wire.Message {
		return &wire.Link{Old: old, Target: t}
	}))
}

// Rename implements [vfs.Dir].
func (d *Dir) Rename(oldname string, newDir vfs.Dir, newname string, only *vfs.Premise) error {
	to := d
	if newDir != nil {
		var err error
		if to, err = d.sibling(newDir); err != nil {
			return session.PathError("rename", oldname, err)
		}
	}
	d.beforeRename(oldname)
	to.beforeRename(newname)
	err := d.changeTwo(oldname, to, newname, func(old, t wire.Target) wire.Message {
		return &wire.Rename{Old: old, Target: t, Only: only}
	})
	if errors.Is(err, vfs.ErrChanged) {
		return session.PathError("rename", newname, err)
	}
	return session.PathError("rename", oldname, err)
}

// Remove implements [vfs.Dir]: if there is a premise, the server checks it.
func (d *Dir) Remove(name string, only *vfs.Premise) error { return d.remove(name, false, only) }

// Rmdir implements [vfs.Dir].
func (d *Dir) Rmdir(name string) error {
	d.beforeRename(name)
	return d.remove(name, true, nil)
}

func (d *Dir) remove(name string, isDir bool, only *vfs.Premise) error {
	op := "remove"
	if isDir {
		op = "rmdir"
	}
	return d.changeOne(op, name, func(t wire.Target) wire.Message {
		return &wire.Remove{Target: t, IsDir: isDir, Only: only}
	})
}
