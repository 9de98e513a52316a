package vfs

import "slices"

// IsBelow reports whether d is, or lies below, a directory that one of roots identifies. It climbs from d by the
// parents of directories, so symbolic links do not matter.
func IsBelow(d Dir, roots ...ID) (bool, error) {
	here, err := Lstat(d, ".")
	if err != nil || slices.Contains(roots, here.ID()) {
		return err == nil, err
	}
	up, err := d.OpenDir("..", Parent)
	if err != nil {
		return false, err
	}
	defer up.Close()
	above, err := Lstat(up, ".")
	if err != nil || above.ID() == here.ID() { // the root of the system is its own parent
		return false, err
	}
	return IsBelow(up, roots...)
}
