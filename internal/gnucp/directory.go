package gnucp

import (
	"errors"
	"io/fs"

	"psync/internal/gnucp/entry"
	"psync/internal/gnucp/output"
	"psync/internal/localfs"
	"psync/internal/vfs"
	"psync/internal/walk"
)

// A bothSides is a directory of the source and its counterpart, open.
//
// A directory is opened by its name in its parent, and through a symbolic link only where cp
// follows one: in a source with -L, in a destination with --keep-directory-symlink. So
// nobody who exchanges directories for links while they are copied can lead the copy elsewhere. An operand
// has no parent: it is opened by its path, and later has to be the directory that it was.
type bothSides struct {
	from, to   localfs.At
	unreadable bool // the destination can be written into, perhaps, but not read
}

type idPair struct{ from, to vfs.ID }

// errReplaced says that a path leads elsewhere than it did before in this run.
var errReplaced = errors.New("was replaced by another directory while it was in use")

// An openError says which path could not be opened.
type openError struct {
	path string
	err  error
}

func (e *openError) Error() string { return e.path + ": " + e.err.Error() }

// Open opens both sides of d; see [walk.Dir].
func (d *directory) Open(in bothSides) (bothSides, error) {
	src, dst := d.item.Src, d.item.Dst
	if d.parent != nil {
		src.At, dst.At = in.from, in.to
	}
	from, err := src.At.OpenAt(src.Name, d.item.Follow)
	if err != nil {
		return bothSides{}, &openError{src.String(), err}
	}
	if d.item.New {
		dst.Name = entry.StripSlashes(dst.Name) // or a link would be followed
	}
	opened := bothSides{from: from}
	opened.to, err = dst.At.OpenAt(dst.Name, d.item.Through)
	if errors.Is(err, fs.ErrPermission) {
		opened.unreadable = true
		opened.to, err = dst.At.SearchAt(dst.Name, d.item.Through)
	}
	if err == nil && d.parent == nil {
		err = d.verify(opened)
	}
	if err != nil {
		d.Close(opened)
		return bothSides{}, &openError{dst.String(), err}
	}
	return opened, nil
}

// verify returns an error unless both sides of an operand are the directories that they were when it was
// first opened.
func (d *directory) verify(now bothSides) error {
	from, err1 := now.from.Fstat()
	to, err2 := now.to.Fstat()
	if err := errors.Join(err1, err2); err != nil {
		return err
	}
	ids := idPair{from.ID(), to.ID()}
	d.idsMu.Lock()
	defer d.idsMu.Unlock()
	if d.ids == (idPair{}) {
		d.ids = ids
	}
	if d.ids != ids {
		return errReplaced
	}
	return nil
}

// Close closes both sides. Nothing was written through them.
func (d *directory) Close(opened bothSides) {
	for _, at := range []localfs.At{opened.from, opened.to} {
		if at != (localfs.At{}) {
			_ = at.Close()
		}
	}
}

// newDirectory returns a directory that is closed.
func (w *worker) newDirectory(it *item, parent *directory) *directory {
	d := &directory{item: it, parent: parent}
	d.Dev = it.now().Dev
	var up *walk.Node[bothSides]
	if parent != nil {
		up = &parent.Node
	}
	d.Node = walk.NewNode[bothSides](up, d)
	w.dirs.Retain(&d.Node, 1) // throughout: others below it may have to wait for their turn
	return d
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
	defer w.dirs.Done(&it.in.Node)
	it.locate()
	return do()
}

// use makes a directory open until it is done with. It returns false after it has told why that failed.
func (w *worker) use(d *directory, out *output.Segment) bool {
	_, err := w.dirs.Use(&d.Node)
	if e := (*openError)(nil); errors.As(err, &e) {
		return out.Fail(e.err, "cannot access %s", e.path)
	}
	return true
}

// locate lets the places of an item start from the directory that it is in, which is open, but for
// those of which the path is too long.
func (it *item) locate() {
	if it.Src.At != localfs.Cwd {
		it.Src.At = it.in.Value().from
	}
	if it.Dst.At != localfs.Cwd {
		it.Dst.At = it.in.Value().to
	}
}
