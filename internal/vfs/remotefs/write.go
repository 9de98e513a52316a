package remotefs

import (
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

// A writeFile is a file that is open for writing on the server. Writes are sent at once and do not wait for their
// answers. A later call returns their errors, Close at the latest.
type writeFile struct {
	vfs.UnsupportedFile
	*node
	d    base
	h    wire.Handle
	caps vfs.Caps
	// begin makes the file unless that has been done. It may be nil.
	begin func()
	// closed is called when the file has been closed. It may be nil.
	closed func()

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

func newWriteFile(d base, name string, h wire.Handle) *writeFile {
	w := &writeFile{d: d, h: h, caps: d.caps(), created: make(chan struct{})}
	w.idle.L = &w.mu
	w.node = &node{
		s: d.s, name: name,
		use:   func() (wire.Target, func(), error) { return w.target() },
		look:  w.stat,
		extra: func() *vfs.Extra { return nil },
		touch: func() {
			d.touch(name)
			w.mu.Lock()
			w.stale = true
			w.mu.Unlock()
		},
	}
	return w
}

// create sends the request that opens the file.
func (w *writeFile) create(perm fs.FileMode, how wire.CreateHow, unfinished bool) {
	w.mu.Lock()
	w.unanswered++
	w.mu.Unlock()
	in := w.d.handle.Use()
	session.Post(w.s.Session, &wire.Create{New: w.h, Dir: in, Name: w.name, Perm: perm, How: how, Unfinished: unfinished}, func(a *wire.AttrAnswer, err error) {
		w.mu.Lock()
		if err == nil {
			w.attr = w.s.Attr(a.Attr)
		}
		w.mu.Unlock()
		w.answered(err)
		close(w.created)
		w.d.handle.Release()
	})
}

// opened waits until the file is open, and returns the error if it cannot be opened.
func (w *writeFile) opened() error {
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
func (w *writeFile) target() (wire.Target, func(), error) {
	if err := w.opened(); err != nil {
		return wire.Target{}, nil, err
	}
	w.drain()
	return wire.Target{Dir: w.h}, func() {}, nil
}

// answered records the answer to a request.
func (w *writeFile) answered(err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.err == nil {
		w.err = err
	}
	w.unanswered--
	w.idle.Broadcast()
}

// drain waits until all requests have been answered.
func (w *writeFile) drain() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for w.unanswered > 0 {
		w.idle.Wait()
	}
}

// failure returns the first error of writing so far.
func (w *writeFile) failure() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.err
}

// send sends a write at an offset and does not wait for the answer.
func (w *writeFile) send(p []byte, off int64) {
	for len(p) > 0 {
		n := min(len(p), piece)
		w.s.Window.Take(n)
		r := wire.Range{Start: off, End: off + int64(n)}
		w.mu.Lock()
		w.beginRangeLocked(r)
		w.unanswered++
		w.mu.Unlock()
		session.Post(w.s.Session, &wire.Write{File: w.h, Off: off, Data: p[:n]}, func(_ *wire.Done, err error) {
			w.s.Window.Give(n)
			w.endRange(r)
			w.answered(err)
		})
		p, off = p[n:], off+int64(n)
	}
}

// beginRangeLocked waits until no earlier request writes in a range, and records that it is being written.
func (w *writeFile) beginRangeLocked(r wire.Range) {
	w.awaitRangeLocked(r)
	w.ranges = append(w.ranges, r)
	w.writes++
}

// awaitRangeLocked waits until no pending request writes in a range, since requests may overtake one another.
func (w *writeFile) awaitRangeLocked(r wire.Range) {
	for slices.ContainsFunc(w.ranges, func(o wire.Range) bool { return o.Start < r.End && r.Start < o.End }) {
		w.idle.Wait()
	}
}

// endRange records that a range is no longer being written.
func (w *writeFile) endRange(r wire.Range) {
	w.mu.Lock()
	defer w.mu.Unlock()
	i := slices.Index(w.ranges, r)
	w.ranges = slices.Delete(w.ranges, i, i+1)
	w.idle.Broadcast()
}

// truncate sends a request to set the length of the file and does not wait for the answer.
func (w *writeFile) truncate(size int64) {
	cut := wire.Range{Start: size, End: math.MaxInt64} // later writes there must not overtake this
	w.mu.Lock()
	w.unanswered++
	w.writes++
	w.ranges = append(w.ranges, cut)
	w.mu.Unlock()
	session.Post(w.s.Session, &wire.Resize{File: w.h, How: wire.Truncate, N: size}, func(_ *wire.Done, err error) {
		w.endRange(cut)
		w.answered(err)
	})
}

// WriteAt implements [vfs.File].
func (w *writeFile) WriteAt(p []byte, off int64) (int, error) {
	if off < 0 {
		return 0, session.PathError("write", w.name, syscall.EINVAL)
	}
	if err := w.failure(); err != nil {
		return 0, session.PathError("write", w.name, err)
	}
	w.send(p, off)
	return len(p), nil
}

// ReadAt implements [vfs.File].
func (w *writeFile) ReadAt(p []byte, off int64) (int, error) {
	if err := w.opened(); err != nil {
		return 0, session.PathError("read", w.name, err)
	}
	w.drain()
	return readAt(w.s, w.h, w.name, p, off)
}

// ordered waits until all earlier requests have been answered, sends a request, and waits for its answer.
func (w *writeFile) ordered(op string, m *wire.Resize) error {
	if m.Off < 0 || m.N < 0 {
		return session.PathError(op, w.name, syscall.EINVAL)
	}
	if err := w.opened(); err != nil {
		return session.PathError(op, w.name, err)
	}
	w.drain()
	m.File = w.h
	w.mu.Lock()
	w.writes++
	w.mu.Unlock()
	return session.PathError(op, w.name, w.s.Do(m))
}

// Truncate implements [vfs.File].
func (w *writeFile) Truncate(size int64) error {
	return w.ordered("truncate", &wire.Resize{How: wire.Truncate, N: size})
}

// Fallocate implements [vfs.File].
func (w *writeFile) Fallocate(mode vfs.FallocateMode, off, n int64) error {
	how := wire.Preallocate
	if mode == vfs.PunchHole {
		how = wire.PunchHole
	}
	return w.ordered(string(mode), &wire.Resize{How: how, Off: off, N: n})
}

// Caps implements [vfs.File].
func (w *writeFile) Caps() vfs.Caps { return w.caps }

// Sync implements [vfs.File].
func (w *writeFile) Sync() error {
	if err := w.opened(); err != nil {
		return session.PathError("fsync", w.name, err)
	}
	w.drain()
	return session.PathError("fsync", w.name, w.s.Do(&wire.Sync{Handle: w.h}))
}

// stat returns the attributes of the file.
func (w *writeFile) stat() (vfs.Attr, error) {
	if err := w.opened(); err != nil {
		return vfs.Attr{}, session.PathError("stat", w.name, err)
	}
	w.mu.Lock()
	attr, untouched := w.attr, w.writes == 0 && !w.stale
	w.mu.Unlock()
	if untouched {
		return attr, nil
	}
	w.drain()
	a, err := session.Ask(w.s.Session, &wire.StatFile{File: w.h})
	if err != nil {
		return vfs.Attr{}, session.PathError("stat", w.name, err)
	}
	return w.s.Attr(a.Attr), nil
}

// Statx implements [vfs.File]. It returns what is known of the file from opening it.
func (w *writeFile) Statx(want vfs.StatxWant) (vfs.Attr, error) {
	if want != vfs.StatxID {
		return vfs.Attr{}, errors.ErrUnsupported
	}
	if err := w.opened(); err != nil {
		return vfs.Attr{}, session.PathError("stat", w.name, err)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.attr, nil
}

// Sums implements [vfs.File].
func (w *writeFile) Sums(off, n, block int64, key []byte) ([]byte, error) {
	if err := w.opened(); err != nil {
		return nil, session.PathError("read", w.name, err)
	}
	w.mu.Lock()
	w.awaitRangeLocked(wire.Range{Start: off, End: off + n})
	w.mu.Unlock()
	return sums(w.s, w.h, w.name, off, n, block, key)
}

// NextData implements [vfs.File].
func (w *writeFile) NextData(off int64) (start, end int64, err error) {
	if err := w.opened(); err != nil {
		return 0, 0, session.PathError("seek", w.name, err)
	}
	w.drain()
	return nextData(w.s, w.h, w.name, off)
}

func (w *writeFile) session() *client { return w.s }

func (w *writeFile) opens() (wire.Handle, error) {
	err := w.opened()
	w.drain()
	return w.h, err
}

// CopyRange implements [vfs.File].
func (w *writeFile) CopyRange(src vfs.File, off, n int64) (int64, error) {
	if off < 0 || n < 0 {
		return 0, session.PathError("copy_file_range", w.name, syscall.EINVAL)
	}
	a, err := w.copyFrom(src, wire.Range{Start: off, End: off + min(n, math.MaxInt64-off)}, n)
	if err != nil {
		return 0, session.PathError("copy_file_range", w.name, err)
	}
	if a.N > n {
		return 0, w.s.Reject("more bytes copied than asked for")
	}
	return a.N, nil
}

// Clone implements [vfs.File].
func (w *writeFile) Clone(src vfs.File) error {
	_, err := w.copyFrom(src, wire.Range{End: math.MaxInt64}, -1)
	return session.PathError("clone", w.name, err)
}

// copyFrom copies n bytes at the start of r, or everything if n is -1, after earlier writes there have been answered.
func (w *writeFile) copyFrom(src vfs.File, r wire.Range, n int64) (*wire.Copied, error) {
	from, ok := vfs.As[remoteFile](src)
	if !ok || from.session() != w.s {
		return nil, errors.ErrUnsupported
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
	return session.Ask(w.s.Session, &wire.Copy{File: w.h, From: h, Off: r.Start, N: n})
}

// finish completes the file and closes it.
func (w *writeFile) finish(changes []vfs.Change, sync bool) (errs []error, err error) {
	w.mu.Lock()
	writes := w.writes
	w.mu.Unlock()
	a, err := session.Ask(w.s.Session, &wire.Finish{File: w.h, Writes: writes, Changes: changes, Sync: sync})
	if err == nil {
		errs, err = w.s.changed(w.name, changes, a)
	}
	if err == nil {
		err = a.Failure.Err()
	}
	if err == nil {
		err = w.failure() // of a request that could not be sent, so that the server did not refuse it
	}
	return errs, session.PathError("write", w.name, err)
}

// discard closes the file and waits until it has been removed.
func (w *writeFile) discard() error {
	w.drain()
	return w.s.Do(&wire.Close{Handle: w.h})
}

// Close implements [vfs.File].
func (w *writeFile) Close() error {
	_, err := w.finish(nil, false)
	w.d.touch(w.name)
	if w.closed != nil {
		w.closed()
	}
	w.d.handle.Release()
	return err
}
