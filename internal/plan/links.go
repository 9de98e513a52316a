package plan

import "strings"

// Links says what to do with symbolic links. The zero value copies them as links.
type Links struct {
	Copy         bool // copy what they lead to
	CopyDirlinks bool // the same, if that is a directory
	CopyUnsafe   bool // the same, if they lead out of the tree
	Safe         bool // leave out those that lead out of the tree
	KeepDirlinks bool // a link of the destination that leads to a directory is as good as one
}

// Follows reports whether any link of the source may be followed.
func (l Links) Follows() bool { return l.Copy || l.CopyDirlinks || l.CopyUnsafe }

// LeadsOut reports whether a symbolic link found in the directory dir of a tree
// (slash-separated, "" for its root) may lead out of that tree: its target is
// absolute, or goes up further than the link lies deep, or goes up after
// it went down, for then it depends on other links where that ends.
func LeadsOut(target, dir string) bool {
	if target == "" || strings.HasPrefix(target, "/") {
		return true
	}
	depth := 0
	if dir != "" {
		depth = strings.Count(dir, "/") + 1
	}
	down := false
	for elem := range strings.SplitSeq(target, "/") {
		switch elem {
		case "":
		case "..":
			if depth--; depth < 0 || down {
				return true
			}
		default:
			down = true
		}
	}
	return false
}
