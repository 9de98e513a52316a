package remotefs

import (
	"io/fs"

	"psync/internal/vfs"
	"psync/internal/vfs/remotefs/session"
	"psync/internal/wire"
)

// base returns what files in d need of it.
func (d *Dir) base() base { return base{d.s, d.handle, d.Caps, d.touch} }

// OpenFile implements [vfs.Dir].
func (d *Dir) OpenFile(name string, mode vfs.OpenMode, perm fs.FileMode) (vfs.File, error) {
	switch mode {
	case vfs.ReadOnly:
		return d.get(name, vfs.NoFollow)
	case vfs.ReadFollow:
		return d.get(name, vfs.Follow)
	case vfs.ReadWrite:
		return d.create("open", name, 0, wire.CreateNone)
	case vfs.OpenCreate:
		return d.create("create", name, perm, wire.CreateOrOpen)
	case vfs.CreateLate:
		return newLateFile(d.base(), name, perm), nil
	}
	return d.create("create", name, perm, wire.CreateNew)
}

func (d *Dir) create(op, name string, perm fs.FileMode, how wire.CreateHow) (vfs.File, error) {
	d.touch(name)
	defer d.touch(name)
	w := newWriteFile(d.base(), name, d.s.NewHandle())
	d.handle.Use() // until the file is closed
	w.create(perm, how, false)
	if err := w.opened(); err != nil {
		d.s.CloseHandle(w.h)
		d.handle.Release()
		return nil, session.PathError(op, name, err)
	}
	d.mu.Lock()
	if d.writing == nil {
		d.writing = make(map[string]*writeFile)
	}
	d.writing[name] = w
	w.closed = func() {
		d.mu.Lock()
		defer d.mu.Unlock()
		if d.writing[name] == w {
			delete(d.writing, name)
		}
	}
	d.mu.Unlock()
	return w, nil
}

func (d *Dir) get(name string, how vfs.Resolve) (vfs.File, error) {
	d.mu.Lock()
	w := d.writing[name]
	d.mu.Unlock()
	if w != nil {
		w.drain() // what was written must be readable
	}
	r := &readFile{s: d.s, d: d.base(), name: name, how: how}
	if err := r.get(small); err != nil {
		return nil, err
	}
	r.users.Store(1)
	d.handle.Use() // until the file is closed
	r.node = &node{
		s: d.s, name: name,
		use:   r.target,
		look:  r.Stat,
		extra: func() *vfs.Extra { return r.extra },
		touch: func() {
			d.touch(name)
			r.mu.Lock()
			r.extra = nil
			r.mu.Unlock()
		},
	}
	return r, nil
}
