package content

import "psync/internal/vfs"

// uncached is the size in bytes from which on a copy leaves the cache of the system to others,
// which only macOS lets it do. copyfile(3), and with it cp and the
// Finder, does so for every file (copyfile.c:1425); but smaller ones are often read again soon, and
// fit.
const uncached = 8 << 20

// bypassCache keeps a large file and its copy out of the cache.
func bypassCache(dst, src vfs.File, attr vfs.Attr) {
	if attr.Size < uncached {
		return
	}
	src.BypassCache()
	dst.BypassCache()
}
