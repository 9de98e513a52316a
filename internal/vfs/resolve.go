package vfs

// A Resolve says which directory [Dir].OpenDir opens, as the field resolve of openat2(2) does. Hosts send it to each
// other, so a value keeps its number.
type Resolve uint8

// The values of Resolve.
const (
	NoFollow Resolve = iota // the entry itself, which must not be a symbolic link
	Follow                  // what the entry leads to, inside the tree or not, if it is a symbolic link
	NoXDev                  // as NoFollow; for a mount point, also of the same file system, the error matches ErrMount
	// Parent is the parent of the directory, whose name is ".." here. If the directory has been moved, that is not the
	// one it was opened in; the caller must check that.
	Parent
)

// OpenDir opens a directory as the method of in does, for callers of [Descend].
func (how Resolve) OpenDir(in Dir, name string) (Dir, error) { return in.OpenDir(name, how) }

// Needs returns the caps that OpenDir needs.
func (how Resolve) Needs() Caps {
	switch how {
	case Follow:
		return CanFollow
	case NoXDev:
		return CanConfine
	}
	return 0
}
