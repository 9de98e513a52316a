package gnucp

import (
	"container/list"
	"errors"
	"io/fs"
	"sync"

	"psync/internal/gnucp/entry"
	"psync/internal/gnucp/output"
	"psync/internal/localfs"
	"psync/internal/vfs"
)

// handles keeps directories open for what is copied below them. It is a cache: what it closes
// it opens again when it is needed, so that the number of open directories stays bounded
// however deep a tree is and however many tasks wait.
//
// A directory is opened by its name in its parent, and through a symbolic link only where cp
// follows one: in a source with -L, in a destination with --keep-directory-symlink. So
// nobody who exchanges directories for links while they are copied can lead the copy elsewhere. An operand
// has no parent: it is opened by its path, and later has to be the directory that it was.
type handles struct {
	limit int // of idle ones

	mu   sync.Mutex // guards what follows, and the handle of each directory
	idle list.List  // of *directory: open and not in use, the longest idle first
}

// A handle is what a directory is reached by.
type handle struct {
	from localfs.At // the source
	to   localfs.At // the destination
	open bool       // they are
	uses int        // who works with them at the moment
	idle *list.Element

	unreadable bool // the destination can be written into, perhaps, but not read

	known bool   // the directory is that of an operand, and was opened before
	ids   idPair // of what was opened then
}

type idPair struct{ from, to vfs.ID }

// errReplaced says that a path leads elsewhere than it did before in this run.
var errReplaced = errors.New("was replaced by another directory while it was in use")

// use makes both sides of d open, which they stay until done is called. If that
// fails, path says where.
func (h *handles) use(d *directory) (path string, err error) {
	h.mu.Lock()
	if d.open {
		h.pinLocked(d)
		h.mu.Unlock()
		return "", nil
	}
	h.mu.Unlock()
	opened, path, err := h.open(d)
	if err != nil {
		return path, err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	switch {
	case d.known && d.ids != opened.ids:
		opened.close()
		return d.item.Dst.String(), errReplaced
	case d.open: // somebody else was faster
		opened.close()
	default:
		d.handle = opened
	}
	h.pinLocked(d)
	return "", nil
}

func (h *handles) pinLocked(d *directory) {
	d.uses++
	if d.idle != nil {
		h.idle.Remove(d.idle)
		d.idle = nil
	}
}

// done ends a use, and closes what has been idle longest if there is too much of it.
func (h *handles) done(d *directory) {
	h.mu.Lock()
	var surplus handle
	if d.uses--; d.uses == 0 {
		d.idle = h.idle.PushBack(d)
		if h.idle.Len() > h.limit {
			surplus = h.oldestLocked()
		}
	}
	h.mu.Unlock()
	surplus.close()
}

// oldestLocked forgets what has been idle longest, and returns it for closing without the lock: that may
// take a round trip.
func (h *handles) oldestLocked() handle {
	d := h.idle.Remove(h.idle.Front()).(*directory)
	oldest := d.handle
	d.handle = handle{known: d.known, ids: d.ids}
	return oldest
}

// closeAll closes what nobody uses.
func (h *handles) closeAll() {
	h.mu.Lock()
	defer h.mu.Unlock()
	for h.idle.Len() > 0 {
		oldest := h.oldestLocked()
		oldest.close()
	}
}

// open opens both sides of d.
func (h *handles) open(d *directory) (opened handle, path string, err error) {
	src, dst := d.item.Src, d.item.Dst
	if d.parent != nil {
		if path, err := h.use(d.parent); err != nil {
			return handle{}, path, err
		}
		defer h.done(d.parent)
		src.At, dst.At = d.parent.from, d.parent.to
	}
	opened.open = true
	if opened.from, err = src.At.OpenAt(src.Name, d.item.Follow); err != nil {
		return handle{}, src.String(), err
	}
	if d.item.New {
		dst.Name = entry.StripSlashes(dst.Name) // or a link would be followed
	}
	opened.to, err = dst.At.OpenAt(dst.Name, d.item.Through)
	if errors.Is(err, fs.ErrPermission) {
		opened.unreadable = true
		opened.to, err = dst.At.SearchAt(dst.Name, d.item.Through)
	}
	if err == nil && d.parent == nil {
		opened.known = true
		opened.ids, err = opened.identify()
	}
	if err != nil {
		opened.close()
		return handle{}, dst.String(), err
	}
	return opened, "", nil
}

// identify returns the identities of both sides.
func (n *handle) identify() (idPair, error) {
	from, err1 := n.from.Fstat()
	to, err2 := n.to.Fstat()
	return idPair{from.ID(), to.ID()}, errors.Join(err1, err2)
}

// close closes what is open. Nothing was written through it.
func (n *handle) close() {
	for _, at := range []localfs.At{n.from, n.to} {
		if at != (localfs.At{}) {
			_ = at.Close()
		}
	}
}

// inDirectory does something to an item while the directory that it is in is open. That
// may have been closed since the item was made.
func (w *worker) inDirectory(it *item, do func() bool) bool {
	if it.in == nil {
		return do()
	}
	if !w.use(it.in, it.Out) {
		return false
	}
	defer w.handles.done(it.in)
	it.locate()
	return do()
}

// use makes a directory open until it is done with. It returns false after it has told why that failed.
func (w *worker) use(d *directory, out *output.Segment) bool {
	path, err := w.handles.use(d)
	if err != nil {
		return out.Fail(err, "cannot access %s", path)
	}
	return true
}

// locate lets the places of an item start from the directory that it is in, which is open, but for
// those of which the path is too long.
func (it *item) locate() {
	if it.Src.At != localfs.Cwd {
		it.Src.At = it.in.from
	}
	if it.Dst.At != localfs.Cwd {
		it.Dst.At = it.in.to
	}
}
