package remotefs

import (
	"errors"
	"sync"
	"time"

	"psync/internal/vfs"
	"psync/internal/wire"
)

// offered are the optional operations of a server that this side can request.
const offered = vfs.CanClone | vfs.CanCopyRange | vfs.CanOpenCreate | vfs.CanMknod | vfs.CanLink | vfs.CanNode | vfs.HasIdentity

// added are the operations that every server of this protocol offers.
const added = vfs.CanCreateLate | vfs.CanMkdirLate | vfs.CanSum | vfs.CanCount

// A Dir is a directory of the server.
type Dir struct {
	vfs.UnsupportedDir
	s      *session
	handle *openHandle
	caps   vfs.Caps

	mu      sync.Mutex             // guards what follows
	isNew   bool                   // this session made it, and nothing was made in it so far
	branch  *branch                // its listing, or the place for one that may come; nil: unknown
	read    bool                   // ReadDir was called
	info    *wire.DirInfo          // what came with opening or listing it
	asked   time.Time              // when info was asked for
	relist  bool                   // entries were changed through this Dir since the listing was asked for
	changed bool                   // the directory was changed through this Dir, even if only its times
	made    map[string]*openHandle // directories made by mkdirLate and not opened yet
	making  map[string]*openHandle // directories whose mkdirLate is not answered yet
	writing map[string]*writeFile  // files that are open for writing
}

func newDir(s *session, o *openHandle) *Dir { return &Dir{s: s, handle: o} }

// child returns a Dir for a directory below d, which is or will be open as o.
func (d *Dir) child(o *openHandle) *Dir {
	d.mu.Lock()
	defer d.mu.Unlock()
	return &Dir{s: d.s, handle: o, caps: d.caps}
}

// Lstat implements [vfs.Dir]. It asks the server, except about the directory itself.
func (d *Dir) Lstat(name string) (vfs.Attr, error) {
	if name == "." {
		return d.lstatSelf()
	}
	return d.stat("lstat", name, false)
}

// Statx implements [vfs.Dir].
func (d *Dir) Statx(name string, want vfs.StatxWant) (vfs.Attr, error) {
	switch want {
	case vfs.StatxFresh:
		return d.stat("lstat", name, false)
	case vfs.StatxFollow:
		return d.stat("stat", name, true)
	}
	return vfs.Attr{}, pathError("lstat", name, errors.ErrUnsupported)
}

// stale is the age from which the attributes of the directory itself are asked for again.
const stale = 10 * time.Second

func (d *Dir) lstatSelf() (vfs.Attr, error) {
	d.mu.Lock()
	changed := d.changed
	d.mu.Unlock()
	if !changed {
		info, err := d.facts()
		if err != nil {
			return vfs.Attr{}, err
		}
		d.mu.Lock()
		recent := time.Since(d.asked) < stale
		d.mu.Unlock()
		if recent {
			return info.Attr, nil
		}
	}
	return d.stat("lstat", ".", false)
}

func (d *Dir) stat(op, name string, follow bool) (vfs.Attr, error) {
	t, done := d.target(name)
	defer done()
	a, err := ask(d.s, &wire.Lstat{Target: t, Follow: follow})
	if err != nil {
		return vfs.Attr{}, pathError(op, name, err)
	}
	return d.s.attr(a.Attr), nil
}

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
	came, listed := d.s.tree.takeBelow(b, name)
	if !listed {
		return d.open(name, how)
	}
	below := d.child(unopenedHandle(d.handle, name))
	below.branch = came
	return below, nil
}

// openMade opens a directory that mkdirLate made and that was not opened yet. It returns nil if name is not one.
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
	h := d.s.handle()
	below := newDir(d.s, openedHandle(d.s, h))
	m := &wire.OpenDir{New: h, How: how}
	if how != vfs.Parent {
		below = d.child(below.handle)
		d.waitUntilMade(name)
		m.Name = name
	}
	m.Dir = d.handle.use()
	defer d.handle.release()
	a, err := ask(d.s, m)
	if err == nil {
		err = below.opened(&a.DirInfo)
	}
	if err != nil {
		_ = below.Close() // nothing was done with it
		return nil, pathError("open", name, err)
	}
	return below, nil
}

// Readlink implements [vfs.Dir].
func (d *Dir) Readlink(name string) (string, error) {
	t, done := d.target(name)
	defer done()
	a, err := ask(d.s, &wire.Readlink{Target: t})
	if err != nil {
		return "", pathError("readlink", name, err)
	}
	if len(a.Paths) != 1 {
		return "", d.s.fail("more or less than one target of a link")
	}
	return a.Paths[0], nil
}

// Statfs implements [vfs.Dir].
func (d *Dir) Statfs() (vfs.Volume, error) {
	info, err := d.facts()
	if err != nil {
		return vfs.Volume{}, err
	}
	return far(info.Volume), nil
}

// Caps implements [vfs.Dir]. While the caps of a directory are unknown, it returns those of its parent.
func (d *Dir) Caps() vfs.Caps {
	d.mu.Lock()
	caps := d.caps
	d.mu.Unlock()
	if caps == 0 {
		if _, err := d.facts(); err == nil {
			return d.Caps()
		}
	}
	return caps
}

// HasDefaultACL implements [vfs.Dir].
func (d *Dir) HasDefaultACL() bool {
	info, err := d.facts()
	return err == nil && info.HasDefaultACL
}

// SyncVolume implements [vfs.Dir].
func (d *Dir) SyncVolume() error {
	h := d.handle.use()
	defer d.handle.release()
	return pathError("sync", ".", d.s.do(&wire.Sync{Handle: h, Volume: true}))
}

// Close implements [vfs.Dir].
func (d *Dir) Close() error {
	d.mu.Lock()
	b, made := d.branch, d.made
	d.branch, d.made = nil, nil
	d.mu.Unlock()
	d.s.tree.Lock()
	d.s.tree.release(b)
	d.s.tree.Unlock()
	if len(made) > 0 {
		d.waitUntilAllMade() // another handle may be used for them next
	}
	d.s.made.Add(-int64(len(made)))
	for _, o := range made {
		o.release()
	}
	d.handle.release()
	return nil
}
