package vfs

// Caps are the operations that a file system offers of those that not every one has. An operation
// that is offered may still fail with [errors.ErrUnsupported], as it may depend on the volume or on
// the pair of files.
type Caps uint32

// Caps of files.
const (
	CanClone       Caps = 1 << iota // File.Clone
	CanCopyRange                    // File.CopyRange
	CanSeekData                     // File.NextData
	CanPunchHole                    // File.PunchHole
	CanPreallocate                  // File.Preallocate
	CanSync                         // File.Sync
)

// Caps of metadata.
const (
	CanNode      Caps = 1 << (16 + iota) // Dir.Node, and what a File has as a Node
	CanLongXattr                         // Node.XattrSize, ReadXattrAt, WriteXattrAt
)

// Has reports whether all operations of want are offered.
func (c Caps) Has(want Caps) bool { return c&want == want }
