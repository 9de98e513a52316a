package vfs

import (
	"strings"
)

// Descend goes from root down to path by calling step for each of its elements, and returns the last
// directory, which the caller closes. If path is "", it returns root itself. It closes the directories in
// between. path is slash-separated.
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

// Join returns the path of the entry called name in the directory at dir. It is path.Join without the
// cleaning, for names that must stay as they are. Either may be "".
func Join(dir, name string) string {
	switch {
	case dir == "":
		return name
	case name == "":
		return dir
	}
	return dir + "/" + name
}
