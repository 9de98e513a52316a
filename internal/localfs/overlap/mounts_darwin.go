package overlap

import (
	"golang.org/x/sys/unix"

	"psync/internal/sys"
)

// placeOf finds the place of a directory from the mount that statfs(2) reports.
func placeOf(dir string) (place, bool) {
	path, err := Resolve(dir)
	if err != nil {
		return place{}, false
	}
	var st unix.Statfs_t
	if err := sys.IgnoringEINTR(func() error { return unix.Statfs(path, &st) }); err != nil {
		return place{}, false
	}
	return throughFirmlink(unix.ByteSliceToString(st.Mntonname[:]), path), true
}
