package plan

import "psync/internal/vfs"

// MinPatch is the size in bytes from which a changed file may be made from the data of the destination. For
// smaller files, checksums take about as much time as the contents.
const MinPatch = 16 << 20

// minBase is the size in bytes that a file of the destination must have to be useful as a base.
const minBase = 1 << 20

// Patches reports whether a file may be made from the data of the file that it replaces, which has the attributes
// there. foreign says that another user may be able to change the old file, and must not gain access to the new
// contents.
func (p Policy) Patches(action Action, want, there vfs.Attr, foreign bool) bool {
	return action == Replace && !foreign && p.TakesBase(want) && IsBase(there)
}

// TakesBase reports whether a file may be made from the data of another one.
func (p Policy) TakesBase(want vfs.Attr) bool {
	return !p.WholeFile && want.Mode.IsRegular() && want.Size >= MinPatch
}

// IsBase reports whether a file of the destination with these attributes has enough data to make another one from.
func IsBase(there vfs.Attr) bool { return there.Mode.IsRegular() && there.Size >= minBase }
