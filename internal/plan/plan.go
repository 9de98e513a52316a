// Package plan decides, without I/O, what to do with each name of a pair of
// directories, and which attributes to set.
package plan

import (
	"io/fs"

	"psync/internal/vfs"
)

// A Step is what is to be done with one name.
type Step uint8

// The steps. None of them loses anything but the entry that Replace replaces.
const (
	Create     Step = iota // nothing is there: make the entry
	Replace                // put the entry in the place of one that is no directory
	ReplaceDir             // put the entry in the place of a directory, if that is empty
	Merge                  // both are directories: go on inside
	Skip                   // fifos, sockets and devices are not copied
	Refuse                 // a directory cannot take the place of something else
)

// Absent is the type of a name that does not exist. No entry has all type bits.
const Absent = fs.ModeType

// For decides what to do with a name by the types of both sides; dst is
// [Absent] where the destination has no such name.
func For(src, dst fs.FileMode) Step {
	src, dst = src.Type(), dst.Type()
	switch {
	case !copied(src):
		return Skip
	case dst == Absent:
		return Create
	case src.IsDir() && dst.IsDir():
		return Merge
	case src.IsDir():
		return Refuse
	case dst.IsDir():
		return ReplaceDir
	}
	return Replace
}

// copied reports whether entries of this type are copied at all.
func copied(t fs.FileMode) bool {
	return t == 0 || t == fs.ModeDir || t == fs.ModeSymlink
}

// DirMode returns the rwx bits that a directory is to end up with, given those of
// the source and those of the destination as it was found, or was made. A new one
// gets those of the source. An existing one keeps its own, for it may be /tmp, or
// the home of others. But one that an interrupted run has left open to its owner,
// so as to work in it, gets what that run was about to give it.
func DirMode(src, dst fs.FileMode, fresh bool) fs.FileMode {
	if fresh || dst.Perm() == src.Perm()|0o700 {
		return src.Perm()
	}
	return dst.Perm()
}

// A Keep says which attributes of the source a copy keeps, beyond the rwx bits
// of what it makes.
type Keep struct {
	Owner, Group  bool
	Mtime, Atime  bool
	AskedForTimes bool // the user named Mtime or Atime: not keeping them is a failure
}

// Times reports whether any time is kept.
func (k Keep) Times() bool { return k.Mtime || k.Atime }

// A Change is a set of attributes to give to an entry.
type Change struct {
	Chmod    bool
	Mode     fs.FileMode // rwx, set-id and sticky bits
	Chown    bool
	UID, GID int // -1 leaves one as it is
	Chtimes  bool
}

// Changes returns what differs between an entry as it is (dst) and as it should
// be (src). Symbolic links have no mode of their own. Set-id and sticky bits of
// the destination stay: a new directory may owe its set-group-ID bit to its parent.
func Changes(src, dst vfs.Attr, keep Keep) Change {
	c := Change{UID: -1, GID: -1, Chtimes: keep.Times()}
	if keep.Owner && src.UID != dst.UID {
		c.Chown, c.UID = true, int(src.UID)
	}
	if keep.Group && src.GID != dst.GID {
		c.Chown, c.GID = true, int(src.GID)
	}
	if src.Mode.Type() != fs.ModeSymlink && src.Mode.Perm() != dst.Mode.Perm() {
		c.Chmod = true
		c.Mode = src.Mode.Perm() | dst.Mode&(fs.ModeSetuid|fs.ModeSetgid|fs.ModeSticky)
	}
	return c
}
