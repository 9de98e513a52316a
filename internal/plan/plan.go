// Package plan decides, without I/O, what a copy does: it maps options and facts about both sides to
// actions.
//
// The decisions about one name come in stages, so that nothing is looked up unless the options need it.
// [Links.CopyAs] says what a link of the source is copied as. [Policy.Entry] decides by the types of both
// sides. [Policy.NeedsSource] says whether attributes of the source matter; if so, [Policy.File] and
// [Special] decide by those, and request a comparison of contents if attributes are not sufficient.
// [Policy.Method] and the modes of [FirstFileMode] and [FirstDirMode] say how an entry is made, and
// [Policy.AfterCopy] what to do with it if the source has changed in the meantime. [Policy.Removal] decides
// about entries that the source lacks, and [Policy.Clearing] about directories that another entry replaces.
package plan

import (
	"io/fs"
)

// An Action says what to do with one name.
type Action uint8

// The actions. None of them destroys anything except the entry that is replaced.
const (
	Skip           Action = iota // entries of this type are not copied
	Leave                        // leave the name alone, because of --existing or --ignore-existing
	Create                       // make the entry: the destination has none
	Replace                      // replace an entry that is not a directory
	ReplaceDir                   // replace a directory, if it is empty
	Descend                      // both are directories: copy their entries
	ReplaceWithDir               // replace an entry that is not a directory with a directory
	NotDir                       // fail: the existing entry is not a directory, and a plain copy does not replace it with one
	KeptNotDir                   // fail: the same, and --ignore-existing keeps it
)

// Absent is the type of a name that does not exist. No entry has all type bits.
const Absent = fs.ModeType

// Entry decides what to do with a name by the types of both sides. dst is [Absent] if the destination has no
// such name. If [Policy.Copies] is false, dst does not matter.
//
// In a sync a directory replaces a file; a plain copy refuses to destroy the file.
func (p Policy) Entry(src, dst fs.FileMode) Action {
	src, dst = src.Type(), dst.Type()
	switch {
	case !p.Copies(src):
		return Skip
	case dst == Absent && p.Existing:
		return Leave
	case dst == Absent:
		return Create
	case src.IsDir() && dst.IsDir():
		return Descend
	case src.IsDir() && !p.Sync:
		return NotDir
	case src.IsDir() && p.IgnoreExisting:
		return KeptNotDir
	case src.IsDir():
		return ReplaceWithDir
	case p.IgnoreExisting:
		return Leave
	case dst.IsDir():
		return ReplaceDir
	}
	return Replace
}

// Copies reports whether entries of this type are copied, or compared, at all.
func (p Policy) Copies(t fs.FileMode) bool {
	switch {
	case p.Compare:
		return true
	case t&fs.ModeDevice != 0:
		return p.Devices
	case t == fs.ModeNamedPipe, t == fs.ModeSocket:
		return p.Specials
	case t == fs.ModeSymlink:
		return !p.NoLinks
	}
	return t == 0 || t == fs.ModeDir
}

// FollowsDest reports whether a destination entry that should be a directory may be a link to one. If it is,
// call [Policy.Entry] with the type of a directory.
func (p Policy) FollowsDest(dst fs.FileMode) bool {
	return p.Links.KeepDirlinks && dst.Type() == fs.ModeSymlink
}
