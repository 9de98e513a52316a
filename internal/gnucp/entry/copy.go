package entry

import (
	"sync"

	"psync/internal/gnucp/output"
	"psync/internal/localfs"
	"psync/internal/vfs"
)

// Knowledge is what is known of a destination before one looks.
type Knowledge int8

// What may be known.
const (
	Unknown  Knowledge = iota
	Dangling           // it does not exist, but as a link that leads nowhere
	Absent
)

// A Copy is an entry that is copied, and what is known of both sides.
type Copy struct {
	Src, Dst Place
	Follow   bool // links of the source
	Known    Knowledge
	Parent   *Parent         // of the destination; nil for an operand
	Out      *output.Segment // what is said of it belongs there

	Attr    vfs.Attr  // of the source
	Was     *vfs.Attr // what is at the destination; nil if nothing is
	Through bool      // Was is what a link at the destination leads to
	New     bool      // the destination has to be made, or was
	Made    *vfs.Attr // what a directory is like after it was made
}

// Locate says where the directories are that a copy is in, but for those sides whose place starts from the working
// directory.
func (c *Copy) Locate(src, dst localfs.At) {
	if c.Src.At != localfs.Cwd {
		c.Src.At = src
	}
	if c.Dst.At != localfs.Cwd {
		c.Dst.At = dst
	}
}

// DestName returns the name of the destination when that exists: without slashes at its end if it was made, for they
// would lead through a link that was put in its place.
func (c *Copy) DestName() string {
	if c.New {
		return StripSlashes(c.Dst.Name)
	}
	return c.Dst.Name
}

// DestAttr returns what the destination, a directory, is like.
func (c *Copy) DestAttr() *vfs.Attr {
	if c.Made != nil {
		return c.Made
	}
	return c.Was
}

// A Parent is what the entries that are made in one directory have in common.
type Parent struct {
	Dev        uint64
	GivesACLs  bool // what is made in it gets an ACL from it
	ownersOnce sync.Once
	owners     vfs.Attr
	ownersErr  error
}

// NewFile returns what f, a new file in p, is like, as far as all new files in p are alike.
func (p *Parent) NewFile(f vfs.File) (vfs.Attr, error) {
	p.ownersOnce.Do(func() {
		attr, err := f.Stat()
		p.owners, p.ownersErr = vfs.Attr{UID: attr.UID, GID: attr.GID}, err
	})
	return p.owners, p.ownersErr
}
