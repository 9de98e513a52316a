package engine

import (
	"container/list"
	"errors"
	"io/fs"
	"strings"
	"sync"
	"syscall"

	"psync/internal/engine/source"
	"psync/internal/vfs"
)

// A pair is a directory of the source and its counterpart.
type pair struct {
	src vfs.Dir
	dst vfs.Dir // nil where a dry run would have made it

	wasClosed  bool        // dst had to be opened up to be opened at all
	closedMode fs.FileMode // of dst before that
	sharedDst  bool        // dst is the job's, and stays open
}

func (p pair) close() {
	if p.src != nil {
		p.src.Close()
	}
	if p.dst != nil && !p.sharedDst {
		p.dst.Close()
	}
}

// A key names a directory of a source.
type key struct {
	source int
	path   string // as task.Path
}

// parent splits a path that is not "" into that of its parent and its last element.
func parent(p string) (dir, name string) {
	i := strings.LastIndexByte(p, '/')
	return p[:max(i, 0)], p[i+1:]
}

// join is path.Join without the cleaning, for names that must stay as they are.
func join(dir, name string) string {
	switch {
	case dir == "":
		return name
	case name == "":
		return dir
	}
	return dir + "/" + name
}

// handles keeps directories open for the tasks below them. It is a cache: what
// it closes it opens again, from an ancestor down, so that the number of open
// directories stays bounded however many tasks wait.
type handles struct {
	limit        int  // of idle ones
	followSource bool // directories of the source may be links to them
	followDest   bool
	openUp       bool // directories of the destination may be opened to their owner
	mayLack      bool // the destination may lack directories

	mu   sync.Mutex // guards what follows
	m    map[key]*handle
	idle list.List // of *handle: open and not in use, the longest idle first
}

type handle struct {
	key  key
	pair pair
	open bool
	root bool          // of a source: it is known until the run ends
	refs int           // tasks that need it: its own, and children not yet entered
	uses int           // who works with pair at the moment
	idle *list.Element // its place in handles.idle

	// reopen opens a root whenever it is needed. If it is nil, the root belongs to the caller
	// and stays open.
	reopen func() (pair, side, error)

	destID vfs.ID // of pair.dst, where links of the destination are followed and it is known
}

// staysOpen reports whether the directories belong to the caller.
func (hd *handle) staysOpen() bool { return hd.root && hd.reopen == nil }

// retain keeps the directory at k for n children that will be entered.
func (h *handles) retain(k key, n int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.m[k].refs += n
}

// enter opens the directory at k, for which its parent has been retained unless
// it is a root. If that fails, side tells where.
func (h *handles) enter(k key) (p pair, side side, err error) {
	if k.path == "" {
		return h.use(k)
	}
	dir, name := parent(k.path)
	up := key{k.source, dir}
	defer h.release(up)

	upper, side, err := h.use(up)
	if err != nil {
		return pair{}, side, err
	}
	defer h.done(up)
	p, side, err = h.openChild(upper, name)
	if err != nil {
		return pair{}, side, err
	}
	h.mu.Lock()
	hd := h.atLocked(k)
	hd.refs++
	h.mu.Unlock()
	if err := h.verify(hd, p); err != nil {
		p.close()
		h.release(k)
		return pair{}, onDest, err
	}
	h.mu.Lock()
	var surplus pair
	if hd.open { // for a task below it
		surplus = p
	} else {
		hd.pair, hd.open = p, true
	}
	h.pinLocked(hd)
	p = hd.pair
	h.mu.Unlock()
	surplus.close()
	return p, 0, nil
}

// adopt retains the directory at k for n tasks even if nobody has entered it:
// it is opened when it is needed. Where links of the destination are followed, its
// destination must be the one that destID tells, unless that is zero.
func (h *handles) adopt(k key, n int, destID vfs.ID) {
	h.mu.Lock()
	defer h.mu.Unlock()
	hd := h.atLocked(k)
	hd.refs += n
	if h.followDest && destID != (vfs.ID{}) {
		hd.destID = destID
	}
}

// atLocked returns what is known of the directory at k.
func (h *handles) atLocked(k key) *handle {
	hd := h.m[k]
	if hd == nil {
		hd = &handle{key: k}
		h.m[k] = hd
	}
	return hd
}

// errSwapped says that a path leads elsewhere than it did before in this run.
var errSwapped = errors.New("was replaced by another directory while it was in use")

// verify makes sure, where links of the destination are followed, that a directory which is
// opened once more still is the one that it was: somebody may have put a link in its place.
func (h *handles) verify(hd *handle, p pair) error {
	if !h.followDest || p.dst == nil {
		return nil
	}
	attr, err := p.dst.Lstat(".")
	if err != nil {
		return err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if hd.destID == (vfs.ID{}) {
		hd.destID = attr.ID()
	}
	if hd.destID != attr.ID() {
		return errSwapped
	}
	return nil
}

// leave ends the work on a directory that was entered.
func (h *handles) leave(k key) {
	h.done(k)
	h.release(k)
}

// use returns the directories at k, which stay open until done is called.
func (h *handles) use(k key) (pair, side, error) {
	h.mu.Lock()
	hd := h.atLocked(k)
	if hd.open {
		defer h.mu.Unlock()
		h.pinLocked(hd)
		return hd.pair, 0, nil
	}
	hd.refs++ // so that it is the same one when it is open
	h.mu.Unlock()
	defer h.release(k)

	p, side, err := h.walk(k)
	if err != nil {
		return pair{}, side, err
	}
	if err := h.verify(hd, p); err != nil {
		p.close()
		return pair{}, onDest, err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if hd.open { // somebody else was faster
		defer p.close()
	} else {
		hd.pair, hd.open = p, true
	}
	h.pinLocked(hd)
	return hd.pair, 0, nil
}

// walk opens the directory at k, from its nearest open ancestor down unless it is a root.
func (h *handles) walk(k key) (pair, side, error) {
	if k.path == "" {
		return h.openRoot(k)
	}
	dir, names := key{source: k.source}, k.path
	h.mu.Lock()
	for up := k.path; up != ""; {
		up, _ = parent(up)
		if hd := h.m[key{k.source, up}]; hd != nil && hd.open {
			dir.path, names = up, strings.TrimPrefix(k.path[len(up):], "/")
			break
		}
	}
	h.mu.Unlock()
	p, side, err := h.use(dir) // it may have been closed just now
	if err != nil {
		return pair{}, side, err
	}
	defer h.done(dir)

	for owned := false; ; owned = true {
		name, rest, more := strings.Cut(names, "/")
		child, side, err := h.openChild(p, name)
		if owned {
			p.close()
		}
		if err != nil || !more {
			return child, side, err
		}
		p, names = child, rest
	}
}

// openChild opens the directory called name on both sides.
func (h *handles) openChild(p pair, name string) (child pair, side side, err error) {
	if p.src != nil {
		if child.src, err = source.OpenDir(p.src, name, h.followSource); err != nil {
			return pair{}, onSource, err
		}
	}
	if p.dst == nil {
		return child, 0, nil
	}
	child.dst, err = source.OpenDir(p.dst, name, h.followDest)
	if errors.Is(err, fs.ErrPermission) && h.openUp {
		child.dst, child.closedMode, err = openClosed(p.dst, name)
		child.wasClosed = err == nil
	}
	if err != nil && !(h.mayLack && lacking(err)) {
		child.close()
		return pair{}, onDest, err
	}
	return child, 0, nil
}

// lacking reports whether an error of opening a directory says that the
// destination has none, but perhaps something that a dry run left there.
func lacking(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) || errors.Is(err, syscall.ELOOP)
}

// openClosed opens a directory of the destination that an earlier run has closed
// to its owner, as its source is, and returns the mode that it had.
func openClosed(dst vfs.Dir, name string) (vfs.Dir, fs.FileMode, error) {
	attr, err := dst.Lstat(name)
	if err != nil {
		return nil, 0, err
	}
	if err := dst.Chmod(name, attr.Mode|0o700); err != nil {
		return nil, 0, err
	}
	d, err := dst.OpenDir(name)
	if err != nil {
		return nil, 0, both(err, dst.Chmod(name, attr.Mode))
	}
	return d, attr.Mode, nil
}

func (h *handles) pinLocked(hd *handle) {
	hd.uses++
	if hd.idle != nil {
		h.idle.Remove(hd.idle)
		hd.idle = nil
	}
}

// done ends a use, and closes what has been idle longest if there is too much of it.
func (h *handles) done(k key) {
	h.mu.Lock()
	hd := h.m[k]
	hd.uses--
	surplus := h.unneededLocked(hd)
	if hd.uses == 0 && hd.open && !hd.staysOpen() {
		hd.idle = h.idle.PushBack(hd)
		if h.idle.Len() > h.limit {
			surplus = h.closeLocked(h.idle.Front().Value.(*handle))
		}
	}
	h.mu.Unlock()
	surplus.close()
}

// release ends the need of one task for the directory at k.
func (h *handles) release(k key) {
	h.mu.Lock()
	hd := h.m[k]
	hd.refs--
	surplus := h.unneededLocked(hd)
	h.mu.Unlock()
	surplus.close()
}

// unneededLocked forgets hd if nobody needs it any more, and returns what is to be closed.
func (h *handles) unneededLocked(hd *handle) pair {
	if hd.refs > 0 || hd.uses > 0 || hd.staysOpen() {
		return pair{}
	}
	if !hd.root {
		delete(h.m, hd.key)
	}
	return h.closeLocked(hd)
}

// closeLocked takes the directories away from hd, for closing without the lock:
// that may take a round trip.
func (h *handles) closeLocked(hd *handle) pair {
	if hd.idle != nil {
		h.idle.Remove(hd.idle)
		hd.idle = nil
	}
	p := hd.pair
	hd.pair, hd.open = pair{}, false
	return p
}

// closeAll closes what an interrupted run has left open.
func (h *handles) closeAll() {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, hd := range h.m {
		if hd.open && !hd.staysOpen() {
			h.closeLocked(hd).close()
		}
	}
}
