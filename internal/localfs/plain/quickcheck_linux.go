package plain

import (
	"golang.org/x/sys/unix"

	"psync/internal/sys"
	"psync/internal/vfs"
)

// QuickCheck compares the files called name in the directories srcfd and dirfd, as the method of [vfs.Dir] does.
func QuickCheck(srcfd, dirfd int, name string, o *vfs.QuickCheckOptions) (size int64, equal bool) {
	var a, b unix.Stat_t
	if sys.Lstatat(dirfd, name, &b) != nil || sys.Lstatat(srcfd, name, &a) != nil {
		return 0, false
	}
	equal = a.Mode&^0o777 == unix.S_IFREG && a.Mode == b.Mode && a.Size == b.Size && a.Mtim == b.Mtim &&
		a.Uid == b.Uid && a.Gid == b.Gid && !(o.OneName && (a.Nlink > 1 || b.Nlink > 1)) &&
		!(o.NoXattrs && (hasXattrs(srcfd, name, o.IgnoresXattr) || hasXattrs(dirfd, name, o.IgnoresXattr)))
	return a.Size, equal
}
