package content

import "psync/internal/vfs"

// uncached is the size in bytes from which a copy bypasses the cache of the system, so that other files keep
// their place in the cache. Only macOS allows this. copyfile(3), and with it cp and the Finder, bypasses the
// cache for every file (copyfile.c:1425), but smaller files are often read again soon, and fit into the cache.
const uncached = 8 << 20

// bypassCache keeps a large file and its copy out of the cache.
func bypassCache(dst, src vfs.File, attr vfs.Attr) {
	if attr.Size < uncached {
		return
	}
	src.BypassCache()
	dst.BypassCache()
}
