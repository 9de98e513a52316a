package vfs

import (
	"errors"
	"io/fs"
	"time"
)

// ErrChanged says that a change was not made, because the entry is not what the caller took it for any more.
var ErrChanged = errors.New("has changed since it was looked at")

// A Premise is what a caller takes an entry for that is to be removed or replaced: what it was when it was copied, or
// compared. The caller may have that from a listing, however old, so it is checked where the entry is, in the call
// that makes the change.
type Premise struct {
	Type  fs.FileMode // type bits only
	Ino   uint64      // 0: unknown
	Size  int64
	Mtime time.Time
	Ctime Stamp // 0: unknown, or of no importance
	Nlink uint64
	// Follow says that all this is about what the entry leads to, if it is a symbolic link. The link itself is
	// removed then.
	Follow bool
}

// PremiseOf returns the premise that an entry with the attributes a has not changed.
func PremiseOf(a Attr) Premise {
	return Premise{Type: a.Mode.Type(), Ino: a.Ino, Size: a.Size, Mtime: a.Mtime, Ctime: a.Ctime, Nlink: a.Nlink}
}

// Holds reports whether an entry that has the attributes now is unchanged. A new change time is no change if the
// link count differs as well, since the caller may have removed another name of the entry.
func (p Premise) Holds(now Attr) bool {
	return now.Mode.Type() == p.Type && now.Size == p.Size && now.Mtime.Equal(p.Mtime) &&
		(now.Ino == p.Ino || p.Ino == 0) && (now.Ctime == p.Ctime || p.Ctime == 0 || now.Nlink != p.Nlink)
}

// RemoveUnchanged implements the method of [Dir] by others of d, where these ask the volume: what remains is the
// race between two system calls.
func RemoveUnchanged(d Dir, name string, only Premise) error {
	look := d.Look
	if only.Follow {
		look = d.Stat
	}
	now, err := look(name)
	if err == nil && !only.Holds(now) {
		err = &fs.PathError{Op: "remove", Path: name, Err: ErrChanged}
	}
	if err != nil {
		return err
	}
	return d.Remove(name)
}

// CheckReplaced returns an error unless newname, which is about to be replaced in a directory, is what only says.
func CheckReplaced(d Dir, newname string, only *Premise) error {
	if only == nil {
		return nil
	}
	now, err := d.Look(newname)
	if errors.Is(err, fs.ErrNotExist) || err == nil && !only.Holds(now) {
		err = &fs.PathError{Op: "rename", Path: newname, Err: ErrChanged}
	}
	return err
}
