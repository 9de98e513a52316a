package content

import "psync/internal/vfs"

// A Cache says whether bytes that are copied stay in the system's cache, where they may take the place of what others
// use.
type Cache int

const (
	CacheAuto Cache = iota // as after a copy by the system's own tools
	CacheKeep
	CacheDrop
)

const (
	// largeUncached is the size in bytes from which copies bypass the cache where the system prefers that. On macOS
	// copyfile(3), and with it cp and the Finder, bypasses it for every file (copyfile.c:1425), but smaller files are
	// often read again soon, and fit into it.
	largeUncached = 8 << 20
	// largeToDrop is the size in bytes from which files bypass the cache if that is asked for. The copies of smaller ones
	// would all have to be stored one by one.
	largeToDrop = smallFile
	// uncachedBuffer is the size in bytes of each read and write of files that bypass the cache where the system prefers
	// that. macOS does not read ahead of them, and each call waits until the disk is done; only within a call it has up to
	// three transfers of 1 MiB under way (xnu, bsd/vfs/vfs_cluster.c, cluster_read_direct). Calls of copyfile(3) are as large
	// as statfs(2) recommends (copyfile.c:2844).
	uncachedBuffer = 4 << 20
)

// bypasses reports whether a file of so many bytes bypasses the cache, given what it offers.
func (c Cache) bypasses(size int64, offered vfs.Caps) bool {
	switch c {
	case CacheDrop:
		return size >= largeToDrop
	case CacheAuto:
		return size >= largeUncached && offered.Has(vfs.PrefersUncached)
	}
	return false
}

// pieceSize returns how many bytes of a file are best read and written at once.
func (c *Copier) pieceSize(src vfs.File, attr vfs.Attr, route *Route) int64 {
	if caps := src.Caps(); !route.far && caps.Has(vfs.PrefersUncached) && c.Cache.bypasses(attr.Size, caps) {
		return uncachedBuffer
	}
	return route.bufferSize()
}

// bypassCache keeps a file and its copy out of the cache, or does not, as the options say.
func (c *Copier) bypassCache(dst, src vfs.File, size int64) {
	for _, f := range []vfs.File{dst, src} {
		if c.Cache.bypasses(size, f.Caps()) {
			_ = f.Advise(vfs.NoReuse)
		}
	}
}
