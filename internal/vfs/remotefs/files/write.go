package files

import (
	"cmp"
	"errors"
	"io/fs"
	"math"
	"slices"
	"sync"
	"syscall"

	"psync/internal/vfs"
	"psync/internal/vfs/remotefs/session"
	"psync/internal/wire"
)

// A Writer is a file that is open for writing on the server. Writes are sent at once and do not wait for their
// answers. A later call returns their errors, Close at the latest.
type Writer struct {
	vfs.UnsupportedFile
	*Node
	d    Base
	h    wire.Handle
	caps vfs.Caps
	// begin makes the file unless that has been done. It may be nil.
	begin func()
	// closed is called when the file has been closed. It may be nil.
	closed func(*Writer)

	mu         sync.Mutex // guards what follows
	idle       sync.Cond  // a request was answered
	created    chan struct{}
	attr       vfs.Attr     // of the file when it was opened
	stale      bool         // attr is no longer valid
	err        error        // the error of making the file, or the first of writing
	unanswered int          // requests that have not been answered
	writes     uint64       // requests that Finish waits for
	ranges     []wire.Range // ranges that are being written
}

// Create opens a file for writing, and makes it if mode says so. closed is called when the file has been closed.
func Create(d Base, name string, perm fs.FileMode, mode vfs.OpenMode, closed func(*Writer)) (*Writer, error) {
	w := newWriter(d, name, d.Client.NewHandle())
	w.closed = closed
	d.Handle.Use() // until the file is closed
	w.create(perm, mode, false)
	if err := w.opened(); err != nil {
		d.Client.CloseHandle(w.h)
		d.Handle.Release()
		return nil, err
	}
	return w, nil
}

func newWriter(d Base, name string, h wire.Handle) *Writer {
	w := &Writer{d: d, h: h, caps: d.Caps(), created: make(chan struct{})}
	w.idle.L = &w.mu
	w.Node = &Node{
		Client: d.Client, Name: name,
		Target: func() (wire.Target, func(), error) { return w.target() },
		Look:   w.Statx,
		Extra:  func() *vfs.Extra { return nil },
		Touch: func() {
			d.Touch(name)
			w.mu.Lock()
			w.stale = true
			w.mu.Unlock()
		},
	}
	return w
}

// create sends the request that opens the file.
func (w *Writer) create(perm fs.FileMode, mode vfs.OpenMode, unfinished bool) {
	w.mu.Lock()
	w.unanswered++
	w.mu.Unlock()
	in := w.d.Handle.Use()
	session.Post(w.Client.Session, &wire.Create{New: w.h, Dir: in, Name: w.Name, Perm: perm, Mode: mode, Unfinished: unfinished}, func(a *wire.AttrAnswer, err error) {
		w.mu.Lock()
		if err == nil {
			w.attr = w.Client.Attr(a.Attr)
		}
		w.mu.Unlock()
		w.answered(err)
		close(w.created)
		w.d.Handle.Release()
	})
}

// opened waits until the file is open, and returns the error if it cannot be opened.
func (w *Writer) opened() error {
	if w.begin != nil {
		w.begin()
	}
	<-w.created
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.attr == (vfs.Attr{}) {
		return w.err
	}
	return nil
}

// target returns the file as the target of a request that must not overtake earlier ones.
func (w *Writer) target() (wire.Target, func(), error) {
	if err := w.opened(); err != nil {
		return wire.Target{}, nil, err
	}
	w.Drain()
	return wire.Target{Dir: w.h}, func() {}, nil
}

// answered records the answer to a request.
func (w *Writer) answered(err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.err = cmp.Or(w.err, err)
	w.unanswered--
	w.idle.Broadcast()
}

// Drain waits until all requests have been answered.
func (w *Writer) Drain() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for w.unanswered > 0 {
		w.idle.Wait()
	}
}

// failure returns the first error of writing so far.
func (w *Writer) failure() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.err
}

// send sends a write at an offset and does not wait for the answer.
func (w *Writer) send(p []byte, off int64) {
	for len(p) > 0 {
		n := min(len(p), piece)
		w.Client.Window.Take(n)
		r := wire.Range{Start: off, End: off + int64(n)}
		w.mu.Lock()
		w.beginRangeLocked(r)
		w.unanswered++
		w.mu.Unlock()
		session.Post(w.Client.Session, &wire.Write{File: w.h, Off: off, Data: p[:n]}, func(_ *wire.Done, err error) {
			w.Client.Window.Ack(n)
			w.endRange(r)
			w.answered(err)
		})
		p, off = p[n:], off+int64(n)
	}
}

// beginRangeLocked waits until no earlier request writes in a range, and records that it is being written.
func (w *Writer) beginRangeLocked(r wire.Range) {
	w.awaitRangeLocked(r)
	w.ranges = append(w.ranges, r)
	w.writes++
}

// awaitRangeLocked waits until no pending request writes in a range, since requests may overtake one another.
func (w *Writer) awaitRangeLocked(r wire.Range) {
	for slices.ContainsFunc(w.ranges, func(o wire.Range) bool { return o.Start < r.End && r.Start < o.End }) {
		w.idle.Wait()
	}
}

// endRange records that a range is no longer being written.
func (w *Writer) endRange(r wire.Range) {
	w.mu.Lock()
	defer w.mu.Unlock()
	i := slices.Index(w.ranges, r)
	w.ranges = slices.Delete(w.ranges, i, i+1)
	w.idle.Broadcast()
}

// truncate sends a request to set the length of the file and does not wait for the answer.
func (w *Writer) truncate(size int64) {
	cut := wire.Range{Start: size, End: math.MaxInt64} // later writes there must not overtake this
	w.mu.Lock()
	w.unanswered++
	w.writes++
	w.ranges = append(w.ranges, cut)
	w.mu.Unlock()
	session.Post(w.Client.Session, &wire.Resize{File: w.h, How: wire.Truncate, N: size}, func(_ *wire.Done, err error) {
		w.endRange(cut)
		w.answered(err)
	})
}

// WriteAt implements [vfs.File].
func (w *Writer) WriteAt(p []byte, off int64) (int, error) {
	if off < 0 {
		return 0, session.PathError("write", w.Name, syscall.EINVAL)
	}
	if err := w.failure(); err != nil {
		return 0, session.PathError("write", w.Name, err)
	}
	w.send(p, off)
	return len(p), nil
}

// ReadAt implements [vfs.File].
func (w *Writer) ReadAt(p []byte, off int64) (int, error) {
	if err := w.opened(); err != nil {
		return 0, session.PathError("read", w.Name, err)
	}
	w.Drain()
	return readAt(w.Client, w.h, w.Name, p, off)
}

// ordered waits until all earlier requests have been answered, sends a request, and waits for its answer.
func (w *Writer) ordered(op string, m *wire.Resize) error {
	if m.Off < 0 || m.N < 0 {
		return session.PathError(op, w.Name, syscall.EINVAL)
	}
	if err := w.opened(); err != nil {
		return session.PathError(op, w.Name, err)
	}
	w.Drain()
	m.File = w.h
	w.mu.Lock()
	w.writes++
	w.mu.Unlock()
	return session.PathError(op, w.Name, w.Client.Do(m))
}

// Truncate implements [vfs.File].
func (w *Writer) Truncate(size int64) error {
	return w.ordered("truncate", &wire.Resize{How: wire.Truncate, N: size})
}

// Fallocate implements [vfs.File].
func (w *Writer) Fallocate(mode vfs.FallocateMode, off, n int64) error {
	how := wire.Preallocate
	if mode == vfs.PunchHole {
		how = wire.PunchHole
	}
	return w.ordered(string(mode), &wire.Resize{How: how, Off: off, N: n})
}

// Caps implements [vfs.File].
func (w *Writer) Caps() vfs.Caps { return w.caps }

// Sync implements [vfs.File].
func (w *Writer) Sync() error {
	if err := w.opened(); err != nil {
		return session.PathError("fsync", w.Name, err)
	}
	w.Drain()
	return session.PathError("fsync", w.Name, w.Client.Do(&wire.Sync{Handle: w.h}))
}

// Statx implements [vfs.File]. It returns what is known from opening the file while that is enough.
func (w *Writer) Statx(want vfs.StatxWant) (vfs.Attr, error) {
	if err := w.opened(); err != nil {
		return vfs.Attr{}, session.PathError("stat", w.Name, err)
	}
	w.mu.Lock()
	attr, enough := w.attr, want == vfs.StatxID || w.writes == 0 && !w.stale
	w.mu.Unlock()
	if enough {
		return attr, nil
	}
	w.Drain()
	return w.Client.AskAttr("stat", w.Name, &wire.Lstat{Target: wire.Target{Dir: w.h}})
}

// Sums implements [vfs.File].
func (w *Writer) Sums(off, n, block int64, key []byte) ([]byte, error) {
	if err := w.opened(); err != nil {
		return nil, session.PathError("read", w.Name, err)
	}
	w.mu.Lock()
	w.awaitRangeLocked(wire.Range{Start: off, End: off + n})
	w.mu.Unlock()
	return sums(w.Client, w.h, w.Name, off, n, block, key)
}

// NextData implements [vfs.File].
func (w *Writer) NextData(off int64) (start, end int64, err error) {
	if err := w.opened(); err != nil {
		return 0, 0, session.PathError("seek", w.Name, err)
	}
	w.Drain()
	return nextData(w.Client, w.h, w.Name, off)
}

func (w *Writer) session() *Client { return w.Client }

func (w *Writer) opens() (wire.Handle, error) {
	err := w.opened()
	w.Drain()
	return w.h, err
}

// CopyRange implements [vfs.File].
func (w *Writer) CopyRange(src vfs.File, off, n int64) (int64, error) {
	if off < 0 || n < 0 {
		return 0, session.PathError("copy_file_range", w.Name, syscall.EINVAL)
	}
	a, err := w.copyFrom(src, wire.Range{Start: off, End: off + min(n, math.MaxInt64-off)}, n)
	if err != nil {
		return 0, session.PathError("copy_file_range", w.Name, err)
	}
	if a.N > n {
		return 0, w.Client.Reject("more bytes copied than asked for")
	}
	return a.N, nil
}

// Clone implements [vfs.File].
func (w *Writer) Clone(src vfs.File) error {
	_, err := w.copyFrom(src, wire.Range{End: math.MaxInt64}, -1)
	return session.PathError("clone", w.Name, err)
}

// copyFrom copies n bytes at the start of r, or everything if n is -1, after earlier writes there have been answered.
func (w *Writer) copyFrom(src vfs.File, r wire.Range, n int64) (*wire.Number, error) {
	from, ok := vfs.As[remoteFile](src)
	switch {
	case !ok:
		return nil, errors.ErrUnsupported
	case from.session() != w.Client:
		return nil, cmp.Or(w.Client.Err(), from.session().Err(), errors.ErrUnsupported)
	}
	h, err := from.opens()
	if err == nil {
		err = w.opened()
	}
	if err != nil {
		return nil, err
	}
	w.mu.Lock()
	w.beginRangeLocked(r)
	w.mu.Unlock()
	defer w.endRange(r)
	return session.Ask[*wire.Number](w.Client.Session, &wire.Copy{File: w.h, From: h, Off: r.Start, N: n})
}

// finish completes the file and closes it.
func (w *Writer) finish(changes []vfs.Change, sync bool) (errs []error, err error) {
	w.mu.Lock()
	writes := w.writes
	w.mu.Unlock()
	a, err := session.Ask[*wire.SetAnswer](w.Client.Session, &wire.Finish{File: w.h, Writes: writes, Changes: changes, Sync: sync})
	if err == nil {
		errs, err = w.Client.changed(w.Name, changes, a)
	}
	if err == nil {
		err = a.Failure.Err()
	}
	if err == nil {
		err = w.failure() // of a request that could not be sent, so that the server did not refuse it
	}
	return errs, session.PathError("write", w.Name, err)
}

// discard closes the file and waits until it has been removed.
func (w *Writer) discard() error {
	w.Drain()
	return w.Client.Do(&wire.Close{Handle: w.h})
}

// Close implements [vfs.File].
func (w *Writer) Close() error {
	_, err := w.finish(nil, false)
	w.d.Touch(w.Name)
	if w.closed != nil {
		w.closed(w)
	}
	w.d.Handle.Release()
	return err
}
