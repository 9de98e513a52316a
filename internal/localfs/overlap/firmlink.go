package overlap

import "path"

// throughFirmlink returns the place of a macOS directory that is on the mount at point; dir is absolute and without
// symbolic links. A directory that is not below point was reached by a firmlink: /Users of the read-only system volume,
// mounted at /, shows Users of the data volume, mounted at /System/Volumes/Data. The ".." of such a directory is / on
// either path (vfs_lookup.c), so going up from it never reaches the root of the data volume. Each firmlink leads to a
// path on the data volume that equals its own; see /usr/share/firmlinks.
//
//lint:ignore U1000 on other systems, only tests call it
func throughFirmlink(point, dir string) place {
	rest := dir
	if within(dir, point) {
		rest = dir[len(point):]
	}
	return place{volume: point, path: path.Join("/", rest)}
}
