package gnucp

import (
	"errors"
	"io/fs"
	"sync"

	"psync/internal/gnucp/entry"
	"psync/internal/localfs"
	"psync/internal/output"
	"psync/internal/vfs"
	"psync/internal/walk"
)

// A bothSides is an open directory of the source together with its open counterpart.
//
// A directory is opened by its name in its parent, and through a symbolic link only where cp follows links: in
// a source with -L, in a destination with --keep-directory-symlink. So a process that replaces directories with
// links during the copy cannot redirect the copy.
type bothSides struct {
	from, to   localfs.At
	unreadable bool // the destination may be writable but not readable
}

// Close closes the sides that are open. Nothing was written through them.
func (b bothSides) Close() {
	for _, at := range []localfs.At{b.from, b.to} {
		if at != (localfs.At{}) {
			_ = at.Close()
		}
	}
}

// cannotOpen reports the path that could not be opened.
func cannotOpen(path string, err error) error { return &fs.PathError{Op: "open", Path: path, Err: err} }

// errReplaced reports that a path leads to another directory than it did earlier in this run.
var errReplaced = errors.New("was replaced by another directory while it was in use")

// An identity holds the IDs of both sides of a directory that is opened by a path. Whenever the path is opened
// again, it has to lead to the same directories.
type identity struct {
	mu       sync.Mutex // guards what follows
	from, to vfs.ID     // zero if not known yet
}

// verify returns an error unless both sides are the same directories as before.
func (i *identity) verify(now bothSides) error {
	i.mu.Lock()
	defer i.mu.Unlock()
	return errors.Join(verifySide(&i.from, now.from), verifySide(&i.to, now.to))
}

func verifySide(was *vfs.ID, at localfs.At) error {
	if at == (localfs.At{}) {
		return nil
	}
	now, err := at.Fstat()
	switch {
	case err != nil:
		return err
	case *was == vfs.ID{}:
		*was = now.ID()
	case *was != now.ID():
		return errReplaced
	}
	return nil
}

// newDirectory returns a directory that is closed.
func (w *worker) newDirectory(it *item) *directory {
	d := &directory{item: it, parent: it.in, src: entry.Prefix(it.Src.String()), dst: entry.Prefix(it.Dst.String()), emptyTries: 2}
	d.Dev, d.SourceDev, d.Made = it.DestAttr().Dev, it.Attr.Dev, it.Made
	if it.top && it.Made != nil {
		d.identity.to = it.Made.ID()
	}
	d.Node = walk.NewNode[bothSides](it.node, d)
	w.dirs.Retain(&d.Node, 1) // until the end: entries below d may have to wait for their turn
	return d
}

// Open opens both sides of d; see [walk.Dir].
func (d *directory) Open(in bothSides) (bothSides, error) {
	e := d.item.Copy
	e.Locate(in.from, in.to)
	from, err := e.Src.At.OpenAt(e.Src.Name, e.Follow)
	if err != nil {
		return bothSides{}, cannotOpen(e.Src.String(), err)
	}
	opened := bothSides{from: from}
	opened.to, err = e.Dst.At.OpenAt(e.DestName(), e.Through)
	if errors.Is(err, fs.ErrPermission) {
		opened.unreadable = true
		opened.to, err = e.Dst.At.SearchAt(e.DestName(), e.Through)
	}
	if err == nil && d.parent == nil {
		err = d.identity.verify(opened) // a link may lead to the directory
	}
	if err != nil {
		opened.Close()
		return bothSides{}, cannotOpen(e.Dst.String(), err)
	}
	return opened, nil
}

// Close closes both sides.
func (d *directory) Close(opened bothSides) { opened.Close() }

// inDirectory calls do while the directory that contains the item is open. The directory may have been closed
// since the item was made.
func (w *worker) inDirectory(it *item, do func() bool) bool {
	in, ok := w.use(it.node, it.Out)
	if !ok {
		return false
	}
	defer w.dirs.Done(it.node)
	it.Locate(in.from, in.to)
	return do()
}

// use opens a directory, which stays open until Done is called. If opening fails, use reports the error and
// returns false.
func (w *worker) use(n *walk.Node[bothSides], out *output.Segment) (opened bothSides, ok bool) {
	opened, err := w.dirs.Use(n)
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return opened, out.Fail(e.Err, "cannot access %s", e.Path)
	}
	return opened, true
}
