package vfs

import (
	"errors"
	"io/fs"
	"time"
)

// ErrChanged says that a change was not made because the entry is no longer what the caller expects.
var ErrChanged = errors.New("has changed since it was looked at")

// A Premise describes the entry that a caller expects to remove or replace: the entry as it was when it was copied or
// compared. The caller may have that from an old listing, so the premise is checked on the host of the entry, in the
// call that makes the change.
type Premise struct {
	Type  fs.FileMode // type bits only
	Ino   uint64      // 0: unknown
	Size  int64
	Mtime time.Time
	Ctime Stamp // 0: unknown, or irrelevant
	Nlink uint64
	// Follow says that, if the entry is a symbolic link, all this describes what it leads to. The link itself is still
	// what is removed.
	Follow bool
}

// PremiseOf returns the premise that an entry still has the attributes a.
func PremiseOf(a Attr) Premise {
	return Premise{Type: a.Mode.Type(), Ino: a.Ino, Size: a.Size, Mtime: a.Mtime, Ctime: a.Ctime, Nlink: a.Nlink}
}

// Holds reports whether an entry whose attributes are now is unchanged. A different change time is ignored if the link
// count differs as well, since the caller may have removed another name of the entry.
func (p Premise) Holds(now Attr) bool {
	return now.Mode.Type() == p.Type && now.Size == p.Size && now.Mtime.Equal(p.Mtime) &&
		(now.Ino == p.Ino || p.Ino == 0) && (now.Ctime == p.Ctime || p.Ctime == 0 || now.Nlink != p.Nlink)
}

// CheckRemoved returns an error unless the entry called name, which is about to be removed from d, is what only says or
// only is nil. It is for implementations whose methods ask the volume directly. There remains a race between two system
// calls.
func CheckRemoved(d Dir, name string, only *Premise) error {
	want := StatxFresh
	if only != nil && only.Follow {
		want = StatxFollow
	}
	return only.check("remove", d, name, want)
}

// CheckReplaced does the same for an entry that is about to be replaced by another, and that must exist.
func CheckReplaced(d Dir, newname string, only *Premise) error {
	err := only.check("rename", d, newname, StatxFresh)
	if errors.Is(err, fs.ErrNotExist) {
		err = &fs.PathError{Op: "rename", Path: newname, Err: ErrChanged}
	}
	return err
}

func (p *Premise) check(op string, d Dir, name string, want StatxWant) error {
	if p == nil {
		return nil
	}
	now, err := d.Statx(name, want)
	if err == nil && !p.Holds(now) {
		err = &fs.PathError{Op: op, Path: name, Err: ErrChanged}
	}
	return err
}
