package metadata

import (
	"bytes"
	"io/fs"
)

// capability is the extended attribute of Linux by which a program has rights of root.
const capability = "security.capability"

// Privileges reports whether a regular file that is to be like s gives whoever runs it rights of its
// owner, its group, or root.
func (k Keep) Privileges(s *State) bool {
	return s.Mode.IsRegular() && (k.Perms && s.Mode&setID != 0 || k.Xattrs && find(s.Xattrs, capability) != nil)
}

// Grants reports whether operations give a regular file that is like dst set-id bits or
// capabilities that it has not, or has for another owner: whoever could write it would have those
// rights, so its contents must not be taken for those of the source by size and time alone.
func Grants(ops []Op, dst *State) bool {
	var given bool // to another owner
	for i := range ops {
		op := &ops[i]
		switch {
		case op.Never || !dst.Mode.IsRegular():
		case op.Class == Owner:
			given = op.UID >= 0 && op.UID != int(dst.UID) || op.GID >= 0 && op.GID != int(dst.GID)
		case op.SetsID():
			if given || op.Mode&setID&^dst.Mode != 0 {
				return true
			}
		case op.Xattr.Name == capability && !op.Remove:
			if there := find(dst.Xattrs, capability); there == nil || !bytes.Equal(there.Value, op.Xattr.Value) {
				return true // the system takes it away when somebody else writes
			}
		}
	}
	return false
}

// SomebodyElses reports whether a file like dst, which is to be like src, may have been written, or may
// be held open for writing, by others than the owner that it is to have.
func SomebodyElses(src, dst *State) bool {
	const others = fs.FileMode(0o022)
	return dst.UID != src.UID || dst.GID != src.GID || dst.Mode&others != 0
}
