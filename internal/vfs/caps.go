package vfs

// Caps is the set of optional operations that a file system offers. An operation that is offered may still fail with
// [errors.ErrUnsupported], because it may depend on the volume or on the pair of files. Hosts send each other their
// caps, so a cap keeps its bit, and the bit of a cap that was removed is not used again.
type Caps uint32

// Caps of files.
const (
	CanClone     Caps = 1 << iota // File.Clone
	CanCopyRange                  // File.CopyRange
	_
	_
	_
	_
	CanSum          // File.Sums
	PrefersUncached // File.Advise with NoReuse, which the system's own tools also use for what they copy
)

// Caps of directories.
const (
	_ Caps = 1 << (8 + iota)
	_
	_
	_
	CanOpenCreate // Dir.OpenFile with OpenCreate
	CanCloneFile  // Dir.CloneFile
	CanMknod      // Dir.Make of a fifo, socket or device
	CanLink       // Dir.Link
	_
	_
	CanCreateAsync // Dir.OpenFile with CreateAsync; Dir.Set makes changes of all kinds, together in one round trip
	CanMkdirAsync  // Dir.Make of a directory with Async; with CanCreateAsync, Dir.MakeDirs
	CanCopyPlain   // Dir.CopyPlain, QuickCheck
	_
	HasIdentity  // an entry has the same Attr.ID whatever path leads to its directory
	CanCountTree // Dir.CountTree, on a host that does the counting itself
)

// Caps of metadata.
const (
	CanNode Caps = 1 << (24 + iota) // Dir.Node, and the methods that a File has as a Node
)

// Has reports whether c includes all operations of want.
func (c Caps) Has(want Caps) bool { return c&want == want }
