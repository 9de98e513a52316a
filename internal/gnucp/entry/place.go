// Package entry finds entries as GNU cp(1) names them: by paths that may lead through links. cp has its own way
// to split and compare such paths.
package entry

import (
	"sync"

	"psync/internal/gnucp/output"
	"psync/internal/lazymap"
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

// Knowledge is what is known of a destination before it is looked up.
type Knowledge int8

// The states of knowledge.
const (
	Unknown  Knowledge = iota
	Dangling           // the destination does not exist, except perhaps as a dangling link
	Absent
)

// A Copy is an entry to copy, together with the known facts about both sides.
type Copy struct {
	Src, Dst Place
	Follow   bool // follow symbolic links of the source
	Known    Knowledge
	Parent   *Parent         // the parent of the destination; nil for an operand
	Out      *output.Segment // the segment for messages about this copy

	Attr    vfs.Attr  // the attributes of the source
	Was     *vfs.Attr // the attributes of the existing destination; nil if there is none
	Through bool      // Was describes the target of a link at the destination
	New     bool      // the destination has to be made, or was made
	Made    *vfs.Attr // the attributes of a new directory after it was made
}

// Locate sets the directories that contain a copy, except for a side whose place starts from the working
// directory.
func (c *Copy) Locate(src, dst localfs.At) {
	if c.Src.At != localfs.Cwd {
		c.Src.At = src
	}
	if c.Dst.At != localfs.Cwd {
		c.Dst.At = dst
	}
}

// DestName returns the name of the destination once it exists. If this run made the destination, the name has
// no trailing slashes, because they would lead through a link that has replaced it.
func (c *Copy) DestName() string {
	if c.New {
		return StripSlashes(c.Dst.Name)
	}
	return c.Dst.Name
}

// DestAttr returns the attributes of the destination, a directory.
func (c *Copy) DestAttr() *vfs.Attr {
	if c.Made != nil {
		return c.Made
	}
	return c.Was
}

// A Parent holds what the entries made in one directory have in common.
type Parent struct {
	Dev        uint64
	SourceDev  uint64    // the device of the directory that is copied
	Made       *vfs.Attr // the attributes that the directory had after it was made; nil if it existed
	GivesACLs  bool      // entries made in the directory inherit an ACL
	Distinct   bool      // no file system takes two names of the source for one; false if that was not checked
	ownersOnce sync.Once
	owners     vfs.Attr
	ownersErr  error
}

// NewFile returns the attributes of f, a new file in p, as far as all new files in p have the same attributes.
func (p *Parent) NewFile(f vfs.File) (vfs.Attr, error) {
	p.ownersOnce.Do(func() {
		attr, err := vfs.Stat(f)
		p.owners, p.ownersErr = vfs.Attr{UID: attr.UID, GID: attr.GID}, err
	})
	return p.owners, p.ownersErr
}

// A FileSet is a set of entries that were found, each with the name it was found by.
type FileSet struct {
	mu sync.Mutex // guards m
	m  map[vfs.ID][]string
}

// Holds reports whether an entry was added with the same name.
func (s *FileSet) Holds(path string, attr vfs.Attr) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.holdsLocked(path, attr)
}

func (s *FileSet) holdsLocked(path string, attr vfs.Attr) bool {
	for _, known := range s.m[attr.ID()] {
		if known == path || SameEntry(Place{At: localfs.Cwd, Name: known}, Place{At: localfs.Cwd, Name: path}, false) {
			return true
		}
	}
	return false
}

// Add adds an entry that was found at path.
func (s *FileSet) Add(path string, attr vfs.Attr) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.holdsLocked(path, attr) {
		lazymap.Set(&s.m, attr.ID(), append(s.m[attr.ID()], path))
	}
}
