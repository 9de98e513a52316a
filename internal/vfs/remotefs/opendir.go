package remotefs

import (
	"psync/internal/vfs"
	"psync/internal/vfs/remotefs/session"
	"psync/internal/wire"
)

// OpenDir implements [vfs.Dir].
func (d *Dir) OpenDir(name string, how vfs.Resolve) (vfs.Dir, error) {
	if how == vfs.Parent {
		return d.open("..", how)
	}
	if below := d.openMade(name); below != nil {
		return below, nil
	}
	if how != vfs.NoFollow {
		return d.open(name, how)
	}
	d.mu.Lock()
	b := d.branch
	d.mu.Unlock()
	came, listed, send := d.tree.TakeBelow(d.s.Session, d.handle, b, name)
	if send != nil {
		send()
	}
	if !listed {
		return d.open(name, how)
	}
	below := d.child(session.Unopened(d.handle, name))
	below.branch = came
	return below, nil
}

// openMade opens a directory that mkdirAsync made and that was not opened yet. It returns nil if name is not one.
func (d *Dir) openMade(name string) vfs.Dir {
	o := d.takeMade(name)
	if o == nil {
		return nil
	}
	below := d.child(o)
	below.isNew = true
	return below
}

// open opens a directory and waits until it is open.
func (d *Dir) open(name string, how vfs.Resolve) (vfs.Dir, error) {
	h := d.s.NewHandle()
	below := newDir(d.s, d.tree, d.kept, session.Opened(d.s.Session, h))
	m := &wire.OpenDir{New: h, How: how}
	if how != vfs.Parent {
		below = d.child(below.handle)
		d.waitUntilMade(name)
		m.Name = name
	}
	m.Dir = d.handle.Use()
	defer d.handle.Release()
	a, err := session.Ask[*wire.Opened](d.s.Session, m)
	if err == nil {
		err = below.opened(a)
	}
	if err != nil {
		_ = below.Close() // nothing was done with it
		return nil, session.PathError("open", name, err)
	}
	return below, nil
}

// Close implements [vfs.Dir].
func (d *Dir) Close() error {
	d.mu.Lock()
	b, made := d.branch, d.made
	d.branch, d.made = nil, nil
	d.mu.Unlock()
	d.tree.Release(b)
	if len(made) > 0 {
		d.waitUntilAllMade() // another handle may be used for them next
	}
	d.kept.Add(-int64(len(made)))
	for _, o := range made {
		o.Release()
	}
	d.handle.Release()
	return nil
}
