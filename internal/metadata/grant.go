package metadata

import (
	"bytes"
	"io/fs"
)

// capability is the extended attribute of Linux that holds file capabilities, see capabilities(7).
const capability = "security.capability"

// KeepsPrivileges reports whether a copy of the regular file s would run with the rights of its owner, of its
// group, or of root: s has set-id bits or capabilities, and k keeps them.
func (k Keep) KeepsPrivileges(s *State) bool {
	return s.Mode.IsRegular() && (k.Perms && s.Mode&setID != 0 || k.Xattrs && find(s.Xattrs, capability) != nil)
}

// GrantsPrivileges reports whether ops give the regular file dst set-id bits or capabilities that it does not
// have, or has under another owner. Any user who could write to the file would gain those rights, so equal size
// and time are not sufficient evidence that its contents equal those of the source.
func GrantsPrivileges(ops []Op, dst *State) bool {
	var newOwner bool
	for i := range ops {
		op := &ops[i]
		switch {
		case op.Never || !dst.Mode.IsRegular():
		case op.Class == Owner:
			newOwner = op.UID >= 0 && op.UID != int(dst.UID) || op.GID >= 0 && op.GID != int(dst.GID)
		case op.SetsID():
			if newOwner || op.Mode&setID&^dst.Mode != 0 {
				return true
			}
		case op.Xattr.Name == capability && !op.Remove:
			if there := find(dst.Xattrs, capability); there == nil || !bytes.Equal(there.Value, op.Xattr.Value) {
				return true // the kernel clears an existing capability when another user writes to the file
			}
		}
	}
	return false
}

// OthersMayWrite reports whether users other than the owner of src may have written to dst, or may have dst
// open for writing.
func OthersMayWrite(src, dst *State) bool {
	const others = fs.FileMode(0o022)
	return dst.UID != src.UID || dst.GID != src.GID || dst.Mode&others != 0
}
