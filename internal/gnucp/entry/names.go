package entry

import "strings"

// Join returns the path of name in dir, with one slash between them.
func Join(dir, name string) string {
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

// LastElement returns the last element of a path with the slashes that follow it.
func LastElement(path string) string {
	end := len(strings.TrimRight(path, "/"))
	return path[strings.LastIndexByte(path[:end], '/')+1:]
}

// DestName returns the name under which source goes into a directory.
func DestName(source string) string {
	name := strings.TrimRight(LastElement(source), "/")
	if name == ".." {
		return "." // not into the parent of the destination
	}
	return name
}

// StripSlashes removes trailing slashes from a path, except that of the root.
func StripSlashes(path string) string {
	if trimmed := strings.TrimRight(path, "/"); trimmed != "" || path == "" {
		return trimmed
	}
	return "/"
}

// DirName returns the directory part of a path, "." if it has none.
func DirName(path string) string {
	path = path[:len(path)-len(LastElement(path))]
	if trimmed := strings.TrimRight(path, "/"); trimmed != "" {
		return trimmed
	}
	if path != "" {
		return "/"
	}
	return "."
}
