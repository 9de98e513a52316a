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
	Skip                   // fifos, sockets and devices are not copied
	Refuse                 // a directory cannot take the place of something else
)

// Absent is the type of a name that does not exist. No entry has all type bits.
const Absent = fs.ModeType

// For decides what to do with a name by the types of both sides; dst is
// [Absent] where the destination has no such name. In a sync a directory takes
// the place of a file, a plain copy refuses to lose that.
func For(src, dst fs.FileMode, sync bool) Step {
	src, dst = src.Type(), dst.Type()
	switch {
	case !copied(src):
		return Skip
	case dst == Absent:
		return Create
	case src.IsDir() && dst.IsDir():
		return Merge
	case src.IsDir() && sync:
		return Supplant
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
