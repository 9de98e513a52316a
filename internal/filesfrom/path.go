package filesfrom

import (
	"fmt"
	"slices"
	"strings"
)

// cut splits a path at "/./". As in rsync, a path that begins with "./" names the directory that it begins in, too.
func cut(path string) (dir, rest string, self bool) {
	path = strings.TrimLeft(path, "/")
	if dir, rest, found := strings.Cut(path, "/./"); found {
		return dir, rest, false
	}
	return "", path, strings.HasPrefix(path, "./")
}

// endsInDir reports whether a path stands for a directory by its end.
func endsInDir(path string) bool {
	return strings.HasSuffix(path, "/") || strings.HasSuffix(path, "/.")
}

// withoutParents resolves each ".." of a path by its text alone. The directory that the path starts from is its own parent.
func withoutParents(path string) string {
	var names []string
	for name := range strings.SplitSeq(path, "/") {
		switch {
		case name != "..":
			names = append(names, name)
		case len(names) > 0:
			names = names[:len(names)-1]
		}
	}
	return strings.Join(names, "/")
}

// splitPath returns the elements of a path without those that stand for no name.
func splitPath(path string) ([]string, error) {
	names := strings.Split(path, "/")
	if slices.Contains(names, "..") {
		return nil, fmt.Errorf("%q leaves its directory by \"..\"; write the path without", path)
	}
	return slices.DeleteFunc(names, func(name string) bool { return name == "" || name == "." }), nil
}
