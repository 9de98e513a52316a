package gnucp

import "strings"

// join returns the path of name in dir, with one slash between them.
func join(dir, name string) string {
	trimmed := strings.TrimRight(dir, "/")
	switch {
	case trimmed != "" && strings.HasPrefix(name, "/"):
		return trimmed + name
	case trimmed != "":
		return trimmed + "/" + name
	case dir != "" && strings.HasPrefix(name, "/"):
		return dir + "." + name
	}
	return dir + name
}

// lastElement returns the last element of a path with the slashes that follow it.
func lastElement(path string) string {
	end := len(strings.TrimRight(path, "/"))
	return path[strings.LastIndexByte(path[:end], '/')+1:]
}

// landing returns the name under which source goes into a directory.
func landing(source string) string {
	name := strings.TrimRight(lastElement(source), "/")
	if name == ".." {
		return "." // not into the parent of the destination
	}
	return name
}

// stripSlashes removes slashes from the end of a path, but for the root's.
func stripSlashes(path string) string {
	if trimmed := strings.TrimRight(path, "/"); trimmed != "" || path == "" {
		return trimmed
	}
	return "/"
}

// dirName returns the directory part of a path, "." if it has none.
func dirName(path string) string {
	path = path[:len(path)-len(lastElement(path))]
	if trimmed := strings.TrimRight(path, "/"); trimmed != "" {
		return trimmed
	}
	if path != "" {
		return "/"
	}
	return "."
}
