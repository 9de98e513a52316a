package localfs

import (
	"golang.org/x/sys/unix"

	"psync/internal/sys"
	"psync/internal/vfs"
)

// QuickCheck implements [vfs.Dir].
func (d *dir) QuickCheck(src vfs.Dir, name string, o *vfs.QuickCheckOptions) (size int64, equal bool) {
	from, ok := vfs.As[*dir](src)
	if !ok || checkEntry("lstat", name) != nil {
		return 0, false
	}
	var a, b unix.Stat_t
	if sys.Lstatat(d.fd, name, &b) != nil || sys.Lstatat(from.fd, name, &a) != nil {
		return 0, false
	}
	equal = a.Mode&^0o777 == unix.S_IFREG && a.Mode == b.Mode && a.Size == b.Size && a.Mtim == b.Mtim &&
		a.Uid == b.Uid && a.Gid == b.Gid && !(o.OneName && (a.Nlink > 1 || b.Nlink > 1)) &&
		!(o.NoXattrs && (hasXattrs(from.fd, name, o.IgnoresXattr) || hasXattrs(d.fd, name, o.IgnoresXattr)))
	return a.Size, equal
}
