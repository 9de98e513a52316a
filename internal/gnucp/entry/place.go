// Package entry finds entries as GNU cp(1) names them: by paths that may lead through links. cp has its own way
// to split and compare such paths.
package entry

import (
	"psync/internal/localfs"
	"psync/internal/vfs"
)

// A Place is the location of an entry: a name in a directory for system calls, and a path for messages.
type Place struct {
	At     localfs.At
	Prefix string // the path of that directory with a slash, "" for the working directory; see [Prefix]
	Name   string
}

// Prefix returns the part of an entry's path that precedes its name, if the entry is in dir.
func Prefix(dir string) string { return Join(dir, "") }

func (p Place) String() string { return p.Prefix + p.Name }

// Beside returns the place of another name in the same directory.
func (p Place) Beside(name string) Place { return Place{At: p.At, Prefix: p.Prefix, Name: name} }

// SameName reports whether a source and a destination are the same entry of the same directory. As in cp, the
// directory of the source differs from a link to it, but the directory of the destination does not.
func SameName(src, dst Place) bool {
	src = src.Free()
	dirA, nameA, errA := src.At.Entry(src.Name, false)
	dirB, nameB, errB := dst.At.Entry(dst.Name, true)
	return errA == nil && errB == nil && nameA == nameB && dirA == dirB
}

// SameEntry reports whether two places are the same entry of the same directory. With followDir, a path of that
// directory may end in a link to it.
func SameEntry(a, b Place, followDir bool) bool {
	dirA, nameA, errA := a.At.Entry(a.Name, followDir)
	dirB, nameB, errB := b.At.Entry(b.Name, followDir)
	return errA == nil && errB == nil && nameA == nameB && dirA == dirB
}

// Free returns p as a place that does not need an open directory.
func (p Place) Free() Place { return Place{At: localfs.Cwd, Name: p.String()} }

// TooLong reports whether the path is too long for any system call, so that cp fails. Relative to an open
// directory, only some of the calls would fail.
func (p Place) TooLong() bool { return len(p.Prefix)+len(p.Name) >= localfs.MaxPath }

// Remove removes the file that id identifies. It does not remove another entry that has replaced the file.
func (p Place) Remove(id vfs.ID) {
	if now, err := p.At.Stat(p.Name, false); err == nil && now.ID() == id {
		_ = p.At.Remove(p.Name)
	}
}
