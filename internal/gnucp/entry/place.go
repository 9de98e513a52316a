// Package entry finds entries as cp(1) of the GNU system names them: by paths that may lead through links, which it
// takes apart, and compares, in its own way.
package entry

import (
	"psync/internal/localfs"
	"psync/internal/vfs"
)

// A Place is where an entry is: for the system by a name in a directory, for people by a path.
type Place struct {
	At     localfs.At
	Prefix string // the path of that directory with a slash, "" for the working directory; see [Prefix]
	Name   string
}

// Prefix returns what comes before the name of an entry of a directory in its path.
func Prefix(dir string) string { return Join(dir, "") }

func (p Place) String() string { return p.Prefix + p.Name }

// Beside returns the place of another name in the same directory.
func (p Place) Beside(name string) Place { return Place{At: p.At, Prefix: p.Prefix, Name: name} }

// SameName reports whether a source and a destination are one entry of one directory. As for cp, the
// directory of the source has another name than a link to it, but not that of the destination.
func SameName(src, dst Place) bool {
	src = src.Free()
	dirA, nameA, errA := src.At.Entry(src.Name, false)
	dirB, nameB, errB := dst.At.Entry(dst.Name, true)
	return errA == nil && errB == nil && nameA == nameB && dirA == dirB
}

// SameEntry reports whether two places are one entry of one directory, reached through
// links to that or not.
func SameEntry(a, b Place, follow bool) bool {
	dirA, nameA, errA := a.At.Entry(a.Name, follow)
	dirB, nameB, errB := b.At.Entry(b.Name, follow)
	return errA == nil && errB == nil && nameA == nameB && dirA == dirB
}

// Free returns p without the need of an open directory.
func (p Place) Free() Place { return Place{At: localfs.Cwd, Name: p.String()} }

// TooLong reports whether no system call takes the path, so that cp fails there. Relative to
// an open directory only some of what is to be done would.
func (p Place) TooLong() bool { return len(p.Prefix)+len(p.Name) >= localfs.MaxPath }

// Remove removes the file that id identifies, but not another entry that has replaced it.
func (p Place) Remove(id vfs.ID) {
	if now, err := p.At.Stat(p.Name, false); err == nil && now.ID() == id {
		_ = p.At.Remove(p.Name)
	}
}
