package plan

import "psync/internal/vfs"

// MinPatch is the size in bytes from which a file that has changed may be made from what the destination has:
// the checksums of a smaller one cost about as much time as its contents.
const MinPatch = 16 << 20

// minBase is the size in bytes that a file of the destination must have to be of use for that.
const minBase = 1 << 20

// Patches reports whether a file may be made from the one that it replaces, and that has the attributes there. foreign
// says that somebody else may be able to change that one, and must not get at the contents of the new one.
func (p Policy) Patches(action Action, want, there vfs.Attr, foreign bool) bool {
	return !p.WholeFile && action == Replace && !foreign &&
		want.Mode.IsRegular() && want.Size >= MinPatch && there.Mode.IsRegular() && there.Size >= minBase
}
