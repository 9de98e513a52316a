// Package plan decides, without I/O, what to do with each name of a pair of
// directories, and which attributes to set.
package plan

import (
	"io/fs"
)

// A Step is what is to be done with one name.
type Step uint8

// The steps. None of them loses anything but the entry that is replaced or supplanted.
const (
	Create     Step = iota // nothing is there: make the entry
	Replace                // put the entry in the place of one that is no directory
	ReplaceDir             // put the entry in the place of a directory, if that is empty
	Merge                  // both are directories: go on inside
	Supplant               // put a directory in the place of something that is none
	Skip                   // entries of this type are not copied
	Refuse                 // a directory cannot take the place of something else
)

// Absent is the type of a name that does not exist. No entry has all type bits.
const Absent = fs.ModeType

// For decides what to do with a name by the types of both sides; dst is
// [Absent] where the destination has no such name. In a sync a directory takes
// the place of a file, a plain copy refuses to lose that.
func (p Policy) For(src, dst fs.FileMode) Step {
	src, dst = src.Type(), dst.Type()
	switch {
	case !p.copies(src):
		return Skip
	case dst == Absent:
		return Create
	case src.IsDir() && dst.IsDir():
		return Merge
	case src.IsDir() && p.Sync:
		return Supplant
	case src.IsDir():
		return Refuse
	case dst.IsDir():
		return ReplaceDir
	}
	return Replace
}

// copies reports whether entries of this type are copied at all.
func (p Policy) copies(t fs.FileMode) bool {
	switch {
	case t&fs.ModeDevice != 0:
		return p.Devices
	case t == fs.ModeNamedPipe, t == fs.ModeSocket:
		return p.Specials
	}
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
