package vfs

import (
	"slices"
	"strings"
)

// Descend goes from root down to the slash-separated path by calling step for each element. It returns the last
// directory, which the caller closes, and closes those in between. If path is "", it returns root itself.
func Descend(root Dir, path string, step func(in Dir, name string) (Dir, error)) (Dir, error) {
	dir := root
	for path != "" {
		name, rest, _ := strings.Cut(path, "/")
		sub, err := step(dir, name)
		if dir != root {
			dir.Close()
		}
		if err != nil {
			return nil, err
		}
		dir, path = sub, rest
	}
	return dir, nil
}

// Join returns the path of the entry called name in the directory at dir. Unlike path.Join, it does not clean the
// result, so names stay as they are. Either argument may be "".
func Join(dir, name string) string {
	switch {
	case dir == "":
		return name
	case name == "":
		return dir
	}
	return dir + "/" + name
}

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
