package trusted

import "psync/internal/vfs"

// trusted reports whether a process of the user uid may follow a symbolic link, given the attributes of the link and of
// the directory that holds it. A link of any other user except root is trusted only where no one but uid and root can
// have put it: in a directory of one of these two that its group and others cannot write to. The sticky bit does not
// help: it protects entries, but lets everyone make them. With strict, a link of any other user is never trusted, as in rsync.
func trusted(link, dir vfs.Attr, uid uint32, strict bool) bool {
	ours := func(owner uint32) bool { return owner == 0 || owner == uid }
	return ours(link.UID) || !strict && ours(dir.UID) && dir.Mode&0o022 == 0
}
