package localfs

import "psync/internal/vfs"

// caps are the optional operations offered on FreeBSD. posix_fallocate(2) would lengthen the file; x/sys lacks
// fspacectl(2) of FreeBSD 14, which punches holes.
const caps = vfs.CanCopyRange | vfs.CanNode | vfs.HasIdentity | vfs.CanOpenCreate | vfs.CanMknod | vfs.CanLink
