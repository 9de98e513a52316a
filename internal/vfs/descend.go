package vfs

import (
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
