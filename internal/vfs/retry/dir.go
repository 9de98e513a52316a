package retry

import (
	"errors"
	"io/fs"
	"sync"
	"sync/atomic"
	"syscall"

	"psync/internal/vfs"
	"psync/internal/vfs/retry/outcome"
)

// A dir is a directory of a volume that is waited for.
type dir struct {
	vfs.UnsupportedDir
	volume *volume
	root   *root
	up     *dir // the directory it was opened in; nil for the root
	name   string
	how    vfs.Resolve // it was opened in up
	want   vfs.ID      // the directory that reopening must lead to; zero: any directory

	inner   atomic.Pointer[vfs.Dir]
	renewed atomic.Int64 // how often it was reopened because its handle was stale

	async asyncDirs   // in it
	made  atomic.Bool // it is known to be there

	mu     sync.Mutex // guards what follows, and changes of inner
	stale  []vfs.Dir  // earlier values of inner, which calls may still use
	closed bool
}

func newDir(inner vfs.Dir, v *volume, r *root) *dir {
	d := &dir{volume: v, root: r}
	d.inner.Store(&inner)
	return d
}

// Unwrap returns the wrapped directory, for operations that need to know both directories.
func (d *dir) Unwrap() vfs.Dir { return *d.inner.Load() }

// hidden are the optional operations that are not offered on volumes: other operations, which can be retried, replace them.
const hidden = vfs.CanCreateAsync | vfs.CanMkdirAsync | vfs.CanCopyPlain | vfs.CanCloneFile

// Caps implements [vfs.Dir].
func (d *dir) Caps() vfs.Caps {
	caps := d.Unwrap().Caps()
	if d.volume.conn != nil {
		return caps &^ (vfs.CanCopyPlain | vfs.CanCloneFile)
	}
	return caps &^ hidden
}

// path returns the path below the root.
func (d *dir) path() string {
	if d.up == nil {
		return ""
	}
	return vfs.Join(d.up.path(), d.name)
}

// unnamed stands for the name of an entry where a call is not watched.
const unnamed = ""

// call makes a call concerning the entry called name, and returns the directory that it was made on.
func (d *dir) call(name string, f func(in vfs.Dir) error) (in vfs.Dir, err error) {
	if lost := d.volume.lost.Load(); lost != nil {
		return nil, lost
	}
	in = d.Unwrap()
	if name == unnamed {
		err = f(in)
	} else {
		c := d.volume.calls.begin(d, name)
		err = f(in)
		d.volume.calls.end(c)
	}
	if err == nil && d.volume.conn != nil {
		d.volume.conn.heard()
	}
	return in, err
}

// do makes a call, and repeats it after outages.
func (d *dir) do(name string, f func(in vfs.Dir) error) error {
	in, err := d.call(name, f)
	if err == nil || !outcome.MayBeOutage(err) && !d.volume.doubtsAbsence(err) {
		return err
	}
	return d.repeat(name, in, err, f)
}

// doOnce is do for a call that must not succeed twice. It passes to f whether an earlier call may have succeeded
// although it returned an error.
func (d *dir) doOnce(name string, f func(in vfs.Dir, mayBeDone bool) error) error {
	mayBeDone := false
	return d.do(name, func(in vfs.Dir) error {
		err := f(in, mayBeDone)
		mayBeDone = mayBeDone || outcome.MayBeOutage(err)
		return err
	})
}

// repeat repeats a call that failed on the directory in with err, until its error is not due to an outage or the
// volume is given up.
func (d *dir) repeat(name string, in vfs.Dir, err error, f func(in vfs.Dir) error) error {
	var t trial
	for reopens, stale := false, false; ; {
		doubt := d.volume.doubtsAbsence(err)
		if !outcome.MayBeOutage(err) && !doubt {
			return err
		}
		if err := d.volume.await(&t, err); err != nil {
			return err
		}
		stale = stale || outcome.IsStale(err)
		if reopens = reopens || stale || doubt; reopens {
			if err = d.reopen(in, stale); err != nil {
				continue
			}
			reopens, stale = false, false
		}
		if in, err = d.call(name, f); err == nil {
			d.volume.spent.Store(0)
		}
	}
}

// reopen opens the directory again, from the root down, unless that has already been done since in was current. stale
// says whether the handle of in is stale.
func (d *dir) reopen(in vfs.Dir, stale bool) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	switch {
	case d.closed:
		return &vfs.OutageError{Err: syscall.ESTALE} // for a file in it, which may stay open longer
	case d.Unwrap() != in:
		return nil
	}
	fresh, err := d.openFromRoot()
	if err == nil {
		err = d.async.remake(fresh)
	}
	if err != nil {
		return err
	}
	d.stale = append(d.stale, in)
	d.inner.Store(&fresh)
	if stale && d.volume.conn == nil { // entries of a host keep their identities, and what it has answered is so
		d.renewed.Add(1)
	}
	return nil
}

func (d *dir) openFromRoot() (vfs.Dir, error) {
	if d.up == nil {
		return d.root.reopen()
	}
	up, err := d.up.openFromRoot()
	if err != nil {
		return nil, err
	}
	defer up.Close()
	fresh, err := up.OpenDir(d.name, d.how)
	if errors.Is(err, fs.ErrNotExist) {
		if err = d.up.async.remakeOne(up, d.name); err == nil {
			fresh, err = up.OpenDir(d.name, d.how)
		}
	}
	if err != nil || d.want == (vfs.ID{}) {
		return fresh, err
	}
	attr, err := vfs.Lstat(fresh, ".")
	if err == nil && attr.ID() != d.want {
		err = errReplaced
	}
	if err != nil {
		return nil, vfs.JoinErrors(err, fresh.Close())
	}
	return fresh, nil
}

// Close implements [vfs.Dir].
func (d *dir) Close() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.closed = true
	if d.up == nil && d.volume.conn != nil {
		d.volume.conn.forget(d.root)
	}
	for _, in := range d.stale {
		in.Close()
	}
	return d.Unwrap().Close()
}

// OpenDir implements [vfs.Dir].
func (d *dir) OpenDir(name string, how vfs.Resolve) (vfs.Dir, error) {
	inner, err := get(d.at(name), func(in vfs.Dir) (vfs.Dir, error) { return in.OpenDir(name, how) })
	asyncErr := d.async.opening(name)
	if err != nil {
		return nil, err
	}
	if asyncErr != nil {
		return nil, vfs.JoinErrors(asyncErr, inner.Close())
	}
	sub := newDir(inner, d.volume, d.root)
	sub.up, sub.name, sub.how = d, name, how
	if how == vfs.NoFollow || how == vfs.NoXDev {
		return sub, nil
	}
	// This may lead out of d, so reopening must lead to the same directory.
	attr, err := vfs.Lstat(sub, ".")
	if err != nil {
		return nil, vfs.JoinErrors(err, sub.Close())
	}
	sub.want = attr.ID()
	return sub, nil
}

// errReplaced says that a path no longer leads to the same directory.
var errReplaced = errors.New("was replaced by another directory while it was in use")
