package retry

import (
	"cmp"
	"errors"
	"sync"
	"syscall"
	"time"

	"psync/internal/vfs"
	"psync/internal/vfs/retry/outcome"
)

// A file implements [vfs.File] on top of a way.
type file struct {
	handle[vfs.File]
	way
}

// A way makes the calls of a file. It depends on whether the file was opened for reading or for writing.
type way interface {
	current() vfs.File
	identity() (vfs.Attr, error)
	saw(vfs.Attr) // called with all attributes, each time they are asked for
	wasRead()
	Close() error
}

// Unwrap returns the wrapped file, for operations that need to know both files.
func (f *file) Unwrap() vfs.File { return f.current() }

// Caps implements [vfs.File].
func (f *file) Caps() vfs.Caps { return f.current().Caps() &^ hidden }

// Commit is not offered, as CreateAsync is not.
func (f *file) Commit([]vfs.Change, bool) ([]error, error) { return nil, errors.ErrUnsupported }

// Close implements [vfs.File].
func (f *file) Close() error { return f.way.Close() }

// HasWriter implements [vfs.File].
func (f *file) HasWriter() bool { return f.current().HasWriter() }

// Statx implements [vfs.File].
func (f *file) Statx(want vfs.StatxWant) (attr vfs.Attr, err error) {
	if want == vfs.StatxID {
		return f.identity()
	}
	attr, err = f.handle.Statx(want)
	if err == nil && want == vfs.StatxAll {
		f.saw(attr)
	}
	return attr, err
}

// ReadAt implements [vfs.File].
func (f *file) ReadAt(p []byte, off int64) (int, error) {
	f.wasRead()
	return get(f.do, func(in vfs.File) (int, error) { return in.ReadAt(p, off) })
}

// WriteAt implements [vfs.File].
func (f *file) WriteAt(p []byte, off int64) (int, error) {
	return get(f.do, func(in vfs.File) (int, error) { return in.WriteAt(p, off) })
}

// Truncate implements [vfs.File].
func (f *file) Truncate(size int64) error {
	return f.do(func(in vfs.File) error { return in.Truncate(size) })
}

// Clone implements [vfs.File].
func (f *file) Clone(src vfs.File) error {
	return f.do(func(in vfs.File) error { return in.Clone(src) })
}

// CopyRange implements [vfs.File].
func (f *file) CopyRange(src vfs.File, off, n int64) (int64, error) {
	return get(f.do, func(in vfs.File) (int64, error) { return in.CopyRange(src, off, n) })
}

// NextData implements [vfs.File].
func (f *file) NextData(off int64) (start, end int64, err error) {
	f.wasRead()
	err = f.do(func(in vfs.File) (err error) {
		start, end, err = in.NextData(off)
		return err
	})
	return start, end, err
}

// Fallocate implements [vfs.File].
func (f *file) Fallocate(mode vfs.FallocateMode, off, n int64) error {
	return f.do(func(in vfs.File) error { return in.Fallocate(mode, off, n) })
}

// Sync implements [vfs.File].
func (f *file) Sync() error { return f.do(vfs.File.Sync) }

// Advise implements [vfs.File].
func (f *file) Advise(a vfs.Advice) error {
	return f.do(func(in vfs.File) error { return in.Advise(a) })
}

// Sums implements [vfs.File].
func (f *file) Sums(off, n, block int64, key []byte) ([]byte, error) {
	f.wasRead()
	return get(f.do, func(in vfs.File) ([]byte, error) { return in.Sums(off, n, block, key) })
}

// A readFile is a file that is open for reading.
type readFile struct {
	target[vfs.File]

	mu   sync.Mutex // guards what follows
	seen version    // zero: Stat has not been called
	read bool       // some of the contents were read
}

// A version identifies a file and its contents as Stat reported them.
type version struct {
	id           vfs.ID
	size         int64
	mtime, ctime vfs.Stamp
}

func versionOf(a vfs.Attr) version {
	return version{a.ID(), a.Size, vfs.StampOf(a.Mtime), a.Ctime}
}

// openToRead opens a file.
func (d *dir) openToRead(name string, open func(in vfs.Dir, name string) (vfs.File, error)) (vfs.File, error) {
	r := &readFile{target: target[vfs.File]{dir: d, name: name, open: open}}
	r.same = r.unchanged
	if err := r.do(func(vfs.File) error { return nil }); err != nil {
		return nil, err
	}
	return &file{handle[vfs.File]{r.do}, r}, nil
}

// unchanged returns an error unless a reopened file is still the one that the caller may have begun to read.
func (r *readFile) unchanged(reopened vfs.File) error {
	r.mu.Lock()
	seen, read := r.seen, r.read
	r.mu.Unlock()
	if seen == (version{}) && !read {
		return nil
	}
	attr, err := vfs.Stat(reopened)
	if err == nil && versionOf(attr) != seen {
		err = &vfs.OutageError{Err: syscall.ESTALE}
	}
	return err
}

func (r *readFile) saw(a vfs.Attr) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.seen = versionOf(a)
}

func (r *readFile) wasRead() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.read = true
}

func (r *readFile) identity() (vfs.Attr, error) { return r.current().Statx(vfs.StatxID) }

// A writtenFile is a file that is open for writing. It is not used after an outage: some of what was written may be
// lost, and the system may already have reported that.
type writtenFile struct {
	dir   *dir
	name  string
	inner vfs.File
	id    vfs.ID // zero: unknown

	renewed int64 // dir.renewed when the file was opened

	mu     sync.Mutex       // guards broken
	broken *vfs.OutageError // not nil: the file must not be used any more
}

// openToWrite opens a file. It passes to open whether an earlier call of it may have succeeded although it returned an
// error.
func (d *dir) openToWrite(name string, open func(in vfs.Dir, mayBeDone bool) (vfs.File, error)) (vfs.File, error) {
	w := &writtenFile{dir: d, name: name}
	err := d.doOnce(name, func(in vfs.Dir, mayBeDone bool) (err error) {
		w.renewed = d.renewed.Load()
		w.inner, err = open(in, mayBeDone)
		return err
	})
	if err != nil {
		return nil, err
	}
	// A stale file does not report its identity, which is needed to remove it.
	if attr, err := w.inner.Statx(vfs.StatxID); err == nil {
		w.id = attr.ID()
	}
	return &file{handle[vfs.File]{w.do}, w}, nil
}

// do makes a call, unless an earlier one failed in an outage.
func (w *writtenFile) do(f func(vfs.File) error) error {
	if broken := w.outage(); broken != nil {
		return broken
	}
	_, err := w.dir.call(w.name, func(vfs.Dir) error { return f(w.inner) })
	return w.failed(err)
}

// failed returns the error to report for a call that returned err. If err may be due to an outage, it waits until the
// volume answers and returns an OutageError.
func (w *writtenFile) failed(err error) error {
	if !outcome.MayBeOutage(err) {
		return err
	}
	v := w.dir.volume
	t := trial{first: time.Now(), n: 1} // the call itself is not repeated, but the whole copy is
	if err := v.await(&t, err); err != nil {
		return err
	}
	if t.n > 1 { // there was no outage
		v.spent.Add(int64(time.Since(t.first)))
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.broken = cmp.Or(w.broken, outcome.OutageError(err))
	return w.broken
}

func (w *writtenFile) outage() *vfs.OutageError {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.broken
}

// Close closes the file. After an outage, the error of closing is ignored. If the handle of the directory has become
// stale, so has that of the file, which may by now be another file or none, although the client may close it without
// asking the server.
func (w *writtenFile) Close() error {
	c := w.dir.volume.calls.begin(w.dir, w.name)
	err := w.inner.Close()
	w.dir.volume.calls.end(c)
	if broken := w.outage(); broken != nil {
		return broken
	}
	if err == nil && w.dir.renewed.Load() != w.renewed {
		err = syscall.ESTALE
	}
	return w.failed(err)
}

func (w *writtenFile) identity() (vfs.Attr, error) {
	if w.id != (vfs.ID{}) {
		return vfs.Attr{Dev: w.id.Dev, Ino: w.id.Ino}, nil
	}
	return w.inner.Statx(vfs.StatxID)
}

func (w *writtenFile) current() vfs.File { return w.inner }
func (w *writtenFile) saw(vfs.Attr)      {}
func (w *writtenFile) wasRead()          {}
