package vfs

import "strings"

// Descend goes from root down to path by calling step for each of its elements, and returns the last
// directory, which the caller closes. If path is "", it returns root itself.
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
