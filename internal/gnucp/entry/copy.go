package entry

import (
	"sync"

	"psync/internal/localfs"
	"psync/internal/output"
	"psync/internal/vfs"
)

// Knowledge is what is known of a destination before it is looked up.
type Knowledge int8

// The states of knowledge.
const (
	DestUnknown          Knowledge = iota
	DestAbsentOrDangling           // it does not exist, except perhaps as a dangling link
	DestAbsent
)

// A Copy is an entry to copy, together with the known facts about both sides.
type Copy struct {
	Src, Dst  Place
	Follow    bool // follow symbolic links of the source
	DestKnown Knowledge
	Parent    *Parent         // the parent of the destination; nil for an operand
	Out       *output.Segment // the segment for messages about this copy

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
