package engine

import (
	"errors"
	"io/fs"
	"syscall"
	"time"

	"psync/internal/plan"
	"psync/internal/report"
	"psync/internal/vfs"
)

// A settable is what can be given attributes: an open file, or a name.
type settable interface {
	Chown(uid, gid int) error
	Chmod(mode fs.FileMode) error
	Chtimes(atime, mtime time.Time) error
}

// named is an entry of an open directory.
type named struct {
	dir  vfs.Dir
	name string
}

func (n named) Chown(uid, gid int) error             { return n.dir.Lchown(n.name, uid, gid) }
func (n named) Chmod(mode fs.FileMode) error         { return n.dir.Chmod(n.name, mode) }
func (n named) Chtimes(atime, mtime time.Time) error { return n.dir.Chtimes(n.name, atime, mtime) }

// set applies a change, with values from attr. The owner comes first, because
// changing it may clear mode bits; the times come last, because only then is
// the entry complete. What the destination or the user's rights do not allow
// is told but no error: the entry is there, and its contents are right.
func (w *worker) set(d *directory, name string, s settable, change plan.Change, attr vfs.Attr) error {
	if change.Chown {
		if err := w.unkept(d, name, report.Owner, chown(s, change)); err != nil {
			return err
		}
	}
	if change.Chmod {
		if err := w.unkept(d, name, report.Mode, s.Chmod(change.Mode)); err != nil {
			return err
		}
	}
	if change.Chtimes {
		var atime, mtime time.Time
		if w.Keep.Atime {
			atime = attr.Atime
		}
		if w.Keep.Mtime {
			mtime = attr.Mtime
		}
		return w.unkept(d, name, report.Times, s.Chtimes(atime, mtime))
	}
	return nil
}

// chown changes the group alone where changing both is not allowed: ordinary users
// may give files to groups they are in.
func chown(s settable, change plan.Change) error {
	err := s.Chown(change.UID, change.GID)
	if err != nil && change.UID >= 0 && change.GID >= 0 {
		// Even if this works, the owner has not been kept.
		_ = s.Chown(-1, change.GID)
	}
	return err
}

// unkept tells about an attribute that cannot be kept, and passes on errors of
// any other kind.
func (w *worker) unkept(d *directory, name string, attr report.Attr, err error) error {
	if !lacks(err) {
		return err
	}
	e := report.Event{Kind: report.Unkept, Name: name, Attr: attr, Err: err}
	e.Asked = attr == report.Owner || attr == report.Times && w.Keep.AskedForTimes
	if e.Asked {
		w.count.Add(report.Unkeeps, 1)
	}
	w.Sink.Event(w.event(d, onDest, e))
	return nil
}

// lacks reports whether an error says that an attribute cannot be set here,
// rather than that something broke.
func lacks(err error) bool {
	if err == nil {
		return false
	}
	var errno syscall.Errno
	if !errors.As(err, &errno) {
		return false
	}
	return errno == syscall.EPERM || // not ours to set
		errno == syscall.ENOTSUP || errno == syscall.EOPNOTSUPP || errno == syscall.ENOSYS || // not on this file system
		errno == syscall.EINVAL // an owner that a user namespace does not map
}
