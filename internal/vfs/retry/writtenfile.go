package retry

import (
	"cmp"
	"sync"
	"syscall"
	"time"

	"psync/internal/vfs"
	"psync/internal/vfs/retry/outcome"
)

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
func (d *dir) openToWrite(name string, async bool, open func(in vfs.Dir, mayBeDone bool) (vfs.File, error)) (vfs.File, error) {
	w := &writtenFile{dir: d, name: name}
	err := d.doOnce(name, func(in vfs.Dir, mayBeDone bool) (err error) {
		w.renewed = d.renewed.Load()
		w.inner, err = open(in, mayBeDone)
		return err
	})
	if err != nil {
		return nil, err
	}
	if async {
		return &file{handle[vfs.File]{w.do}, w}, nil // its identity would have to be waited for
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

// commit implements Commit. It closes the file, even if that is not used any more.
func (w *writtenFile) commit(changes []vfs.Change, sync bool) (errs []error, err error) {
	if w.outage() != nil {
		return nil, w.Close()
	}
	_, err = w.dir.call(w.name, func(vfs.Dir) (err error) {
		errs, err = w.inner.Commit(changes, sync)
		return err
	})
	if err == nil {
		w.dir.knowMade()
	}
	return errs, w.failed(err)
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
