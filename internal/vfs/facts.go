package vfs

import (
	"io/fs"
	"slices"
)

// An Entry is one entry of a directory listing.
type Entry struct {
	Name  string
	Type  fs.FileMode // type bits only, as fs.DirEntry.Type
	Ino   uint64      // 0 if the listing does not report it
	Facts *Facts      // nil if the listing reports no attributes
}

// Facts are what a listing says of an entry. They are as old as the listing.
type Facts struct {
	Attr
	Target string // of a symbolic link; empty if the listing does not report it
	Extra  *Extra // nil if the listing reports no metadata beyond Attr
}

// An Extra holds the metadata beyond [Attr] that a host sends with an entry because Prepare has asked for them.
type Extra struct {
	Holds     Preparation // Xattrs, ACLs and Flags say what it holds
	FileFlags uint32
	FlagsErr  error   // why there are no FileFlags
	All       []Xattr // the extended attributes, with ACLs if Holds.ACLs is set
	XattrsErr error   // why there are none
}

// An Xattr is an extended attribute. A long one has no value, which must be read from the entry.
type Xattr struct {
	Name  string
	Value []byte
	Long  bool
}

// Flags returns what [Node].Flags does if that is known. x may be nil, as for the methods below.
func (x *Extra) Flags() (flags uint32, known bool, err error) {
	if x == nil || !x.Holds.Flags {
		return 0, false, nil
	}
	return x.FileFlags, true, x.FlagsErr
}

// Xattrs returns what [Node].Xattrs does if that is known.
func (x *Extra) Xattrs(acls bool) (names []string, known bool, err error) {
	if x == nil || !x.Holds.Xattrs && !x.Holds.ACLs || x.Holds.ACLs != acls {
		return nil, false, nil
	}
	if x.XattrsErr != nil {
		return nil, true, x.XattrsErr
	}
	names = make([]string, len(x.All))
	for i := range x.All {
		names[i] = x.All[i].Name
	}
	return names, true, nil
}

// Xattr returns the value of an extended attribute if that is known.
func (x *Extra) Xattr(name string) (value []byte, known bool) {
	if x == nil || x.XattrsErr != nil {
		return nil, false
	}
	i := slices.IndexFunc(x.All, func(a Xattr) bool { return a.Name == name && !a.Long })
	if i < 0 {
		return nil, false
	}
	return slices.Clone(x.All[i].Value), true
}

// Size returns about how many bytes f takes in memory.
func (f *Facts) Size() int {
	const least, xattr = 240, 40
	n := least + len(f.Target)
	if f.Extra != nil {
		for i := range f.Extra.All {
			n += xattr + len(f.Extra.All[i].Name) + len(f.Extra.All[i].Value)
		}
	}
	return n
}

// Attr returns the attributes that the listing reported of the entry or, if follow is true, of what it leads to.
func (e Entry) Attr(follow bool) (a Attr, known bool) {
	if e.Facts == nil || follow && e.Facts.Mode.Type() == fs.ModeSymlink {
		return Attr{}, false
	}
	return e.Facts.Attr, true
}

// Readlink returns the target of a symbolic link of d. It asks the volume only if the listing did not report it.
func (e Entry) Readlink(d Dir) (string, error) {
	if e.Facts != nil && e.Facts.Target != "" {
		return e.Facts.Target, nil
	}
	return d.Readlink(e.Name)
}

// Node returns the entry of d as [Dir].Node does. Until it is changed, the volume is asked only for what the listing did
// not report.
func (e Entry) Node(d Dir) (Node, error) {
	n, err := d.Node(e.Name)
	if err != nil || e.Facts == nil || e.Facts.Extra == nil {
		return n, err
	}
	return &listedNode{n, e.Facts.Extra}, nil
}

// A listedNode is a Node of which a listing has reported metadata.
type listedNode struct {
	Node
	x *Extra // nil: the entry was changed
}

func (n *listedNode) Set(changes []Change) []error {
	n.x = nil
	return n.Node.Set(changes)
}

func (n *listedNode) Flags() (uint32, error) {
	if flags, known, err := n.x.Flags(); known {
		return flags, err
	}
	return n.Node.Flags()
}

func (n *listedNode) Xattrs(acls bool) ([]string, error) {
	if names, known, err := n.x.Xattrs(acls); known {
		return names, err
	}
	return n.Node.Xattrs(acls)
}

func (n *listedNode) Xattr(name string) ([]byte, error) {
	if value, known := n.x.Xattr(name); known {
		return value, nil
	}
	return n.Node.Xattr(name)
}
