package engine

import (
	"container/list"
	"slices"
	"sync"

	"psync/internal/vfs"
)

// openRemovals is a cache of open directories that are being removed. Like [handles], it has a
// limit. Every directory in it was opened by its name in its parent, following no link and,
// unless crossMounts is true, entering no mount point.
type openRemovals struct {
	limit       int // how many idle directories stay open
	crossMounts bool

	mu   sync.Mutex // guards what follows, and the last fields of every removal
	idle list.List  // of *removal, open and not in use, least recently used first
}

// use returns the directory of rm, which stays open until done is called.
func (o *openRemovals) use(rm *removal) (vfs.Dir, error) {
	if rm.parent == nil {
		return rm.base.use()
	}
	if dir := o.pin(rm); dir != nil {
		return dir, nil
	}
	return o.walk(rm)
}

// useParent is use for the parent of rm. If that is closed and rm is open, it is opened as "..", so
// that the way back up from the bottom of a deep tree takes one step per directory.
func (o *openRemovals) useParent(rm *removal) (vfs.Dir, error) {
	up := rm.parent
	if up.parent == nil {
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

// openParent opens the parent of a directory. It returns nil if that fails or if the parent does not
// have the given identity: somebody may have moved the directory.
func openParent(child vfs.Dir, id vfs.ID) vfs.Dir {
	dir, err := child.OpenParent()
	if err != nil {
		return nil
	}
	if attr, err := dir.Lstat("."); err != nil || attr.ID() != id {
		dir.Close()
		return nil
	}
	return dir
}

// walk opens the directory of rm from its nearest open ancestor down. The directories on the way stay
// in the cache, since others below them will be needed, too.
func (o *openRemovals) walk(rm *removal) (vfs.Dir, error) {
	closed := []*removal{rm}
	from := rm.parent
	var dir vfs.Dir
	for ; from.parent != nil; from = from.parent {
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
		sub, err := openForRemoval(dir, rm.name, o.crossMounts)
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

// openForRemoval opens a directory that is to be removed. It fails for a link and, unless crossMounts
// is true, for a mount point.
func openForRemoval(in vfs.Dir, name string, crossMounts bool) (vfs.Dir, error) {
	if !crossMounts && in.Caps().Has(vfs.CanConfine) {
		return in.OpenDirWithin(name)
	}
	return in.OpenDir(name)
}

// pin returns the directory of rm and marks it as in use, or returns nil if it is closed.
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

// add puts an open directory into the cache and marks it as in use. If another worker has added it
// before, add closes dir and returns the one in the cache.
func (o *openRemovals) add(rm *removal, dir vfs.Dir) vfs.Dir {
	o.mu.Lock()
	var toClose vfs.Dir
	if rm.dir == nil {
		rm.dir = dir
	} else {
		toClose = dir
	}
	o.pinLocked(rm)
	dir = rm.dir
	o.mu.Unlock()
	if toClose != nil {
		toClose.Close()
	}
	return dir
}

// done ends a use of the directory of rm. If too many are idle, it closes the least recently used one.
func (o *openRemovals) done(rm *removal) {
	if rm.parent == nil {
		rm.base.done()
		return
	}
	o.mu.Lock()
	var toClose vfs.Dir
	if rm.uses--; rm.uses == 0 {
		rm.idle = o.idle.PushBack(rm)
		if o.idle.Len() > o.limit {
			toClose = o.takeLocked(o.idle.Front().Value.(*removal))
		}
	}
	o.mu.Unlock()
	if toClose != nil {
		toClose.Close()
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

// takeLocked removes the directory of rm from the cache, for the caller to close without the lock.
func (o *openRemovals) takeLocked(rm *removal) vfs.Dir {
	if rm.idle != nil {
		o.idle.Remove(rm.idle)
		rm.idle = nil
	}
	dir := rm.dir
	rm.dir = nil
	return dir
}

// closeAll closes the directories that an interrupted run has left open.
func (o *openRemovals) closeAll() {
	for o.idle.Len() > 0 {
		o.close(o.idle.Front().Value.(*removal))
	}
}
