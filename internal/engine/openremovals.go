package engine

import (
	"container/list"
	"slices"
	"sync"

	"psync/internal/vfs"
)

// openRemovals keeps directories open that are being removed. Like [handles] it is a
// cache with a limit. Every directory in it was opened beneath its parent, as no link
// and, unless crossMounts is true, as no mount point.
type openRemovals struct {
	limit       int // of idle ones
	crossMounts bool

	mu   sync.Mutex // guards what follows, and the last fields of each removal
	idle list.List  // of *removal: open and not in use, the longest idle first
}

// use returns the directory of rm, which stays open until done is called.
func (o *openRemovals) use(rm *removal) (vfs.Dir, error) {
	if rm.up == nil {
		return rm.base.use()
	}
	if dir := o.pin(rm); dir != nil {
		return dir, nil
	}
	return o.walk(rm)
}

// useParent is use for the parent of rm. Where that is closed and rm is open, it is
// reached from there, so that the way back up a deep tree takes one step a directory.
func (o *openRemovals) useParent(rm *removal) (vfs.Dir, error) {
	up := rm.up
	if up.up == nil {
		return up.base.use()
	}
	if dir := o.pin(up); dir != nil {
		return dir, nil
	}
	if child := o.pin(rm); child != nil {
		dir := openParent(child, up.id)
		o.done(rm)
		if dir != nil {
			return o.add(up, dir), nil
		}
	}
	return o.use(up)
}

// openParent opens the parent of a directory, or returns nil if that is not the one that
// is meant: somebody may have moved the directory.
func openParent(child vfs.Dir, id vfs.ID) vfs.Dir {
	p, ok := child.(vfs.ParentOpener)
	if !ok {
		return nil
	}
	dir, err := p.OpenParent()
	if err != nil {
		return nil
	}
	if attr, err := dir.Lstat("."); err != nil || attr.ID() != id {
		dir.Close()
		return nil
	}
	return dir
}

// walk opens the directory of rm from its nearest open ancestor down. Those on the way
// stay in the cache: others will be on their way to them.
func (o *openRemovals) walk(rm *removal) (vfs.Dir, error) {
	closed := []*removal{rm}
	from := rm.up
	var dir vfs.Dir
	for ; from.up != nil; from = from.up {
		if dir = o.pin(from); dir != nil {
			break
		}
		closed = append(closed, from)
	}
	if dir == nil {
		var err error
		if dir, err = from.base.use(); err != nil {
			return nil, err
		}
	}
	for _, rm := range slices.Backward(closed) {
		sub, err := openRemoved(dir, rm.name, o.crossMounts)
		if err == nil {
			sub = o.add(rm, sub)
		}
		o.done(from)
		if err != nil {
			return nil, err
		}
		dir, from = sub, rm
	}
	return dir, nil
}

// openRemoved opens a directory that is to be removed: no link, and no mount point unless
// crossMounts is true.
func openRemoved(in vfs.Dir, name string, crossMounts bool) (vfs.Dir, error) {
	if c, ok := in.(vfs.Confiner); ok && !crossMounts {
		return c.OpenDirWithin(name)
	}
	return in.OpenDir(name)
}

// pin returns the directory of rm, which is in use then, or nil if it is closed.
func (o *openRemovals) pin(rm *removal) vfs.Dir {
	o.mu.Lock()
	defer o.mu.Unlock()
	if rm.dir != nil {
		o.pinLocked(rm)
	}
	return rm.dir
}

func (o *openRemovals) pinLocked(rm *removal) {
	rm.uses++
	if rm.idle != nil {
		o.idle.Remove(rm.idle)
		rm.idle = nil
	}
}

// add puts an open directory into the cache and returns it in use, or else the one
// that is there already.
func (o *openRemovals) add(rm *removal, dir vfs.Dir) vfs.Dir {
	o.mu.Lock()
	var surplus vfs.Dir
	if rm.dir == nil {
		rm.dir = dir
	} else {
		surplus = dir
	}
	o.pinLocked(rm)
	dir = rm.dir
	o.mu.Unlock()
	if surplus != nil {
		surplus.Close()
	}
	return dir
}

// done ends a use, and closes the directory that has been idle longest if there are too many.
func (o *openRemovals) done(rm *removal) {
	if rm.up == nil {
		rm.base.done()
		return
	}
	o.mu.Lock()
	var surplus vfs.Dir
	if rm.uses--; rm.uses == 0 {
		rm.idle = o.idle.PushBack(rm)
		if o.idle.Len() > o.limit {
			surplus = o.takeLocked(o.idle.Front().Value.(*removal))
		}
	}
	o.mu.Unlock()
	if surplus != nil {
		surplus.Close()
	}
}

// close closes the directory of rm, which is not in use.
func (o *openRemovals) close(rm *removal) {
	o.mu.Lock()
	dir := o.takeLocked(rm)
	o.mu.Unlock()
	if dir != nil {
		dir.Close()
	}
}

// takeLocked takes the directory away from rm, for closing it without the lock.
func (o *openRemovals) takeLocked(rm *removal) vfs.Dir {
	if rm.idle != nil {
		o.idle.Remove(rm.idle)
		rm.idle = nil
	}
	dir := rm.dir
	rm.dir = nil
	return dir
}

// closeAll closes what an interrupted run has left open.
func (o *openRemovals) closeAll() {
	for o.idle.Len() > 0 {
		o.close(o.idle.Front().Value.(*removal))
	}
}
