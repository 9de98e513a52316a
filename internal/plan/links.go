package plan

import (
	"io/fs"
	"strings"
)

// Links says what to do with symbolic links. The zero value copies them as links.
type Links struct {
	Copy         bool // copy the targets of links
	CopyDirlinks bool // the same for links to directories
	CopyUnsafe   bool // the same for links that lead out of the tree
	Safe         bool // skip links that lead out of the tree
	KeepDirlinks bool // treat a link of the destination that leads to a directory as a directory
}

// Follows reports whether any link of the source may be followed.
func (l Links) Follows() bool { return l.Copy || l.CopyDirlinks || l.CopyUnsafe }

// HasEffect reports whether [Links.CopyAs] may return anything but AsLink.
func (l Links) HasEffect() bool { return l.Follows() || l.Safe }

// NeedsTarget reports whether [Links.CopyAs] must know where a link leads.
func (l Links) NeedsTarget() bool { return l.Safe || l.CopyUnsafe }

// A LinkAction says what a symbolic link of the source is copied as.
type LinkAction uint8

// The actions.
const (
	AsLink        LinkAction = iota
	AsTarget                 // as its target
	AsTargetIfDir            // as its target if that is a directory; otherwise as a link
	OmitUnsafe               // not at all, because it leads out of the tree
)

// CopyAs decides what a link in the directory dir is copied as. For target and dir, see [LeadsOut]; target is
// used only if [Links.NeedsTarget] is true.
func (l Links) CopyAs(target, dir string) LinkAction {
	unsafe := l.NeedsTarget() && LeadsOut(target, dir)
	switch {
	case l.Copy, l.CopyUnsafe && unsafe:
		return AsTarget
	case l.Safe && unsafe:
		return OmitUnsafe
	case l.CopyDirlinks:
		return AsTargetIfDir
	}
	return AsLink
}

// Excludes reports whether rules exclude a source entry of type t. hidden reports whether they exclude a
// directory, or another entry, of its name. A link that is followed is excluded only if both are, because it is
// not yet known whether it leads to a directory.
func (l Links) Excludes(t fs.FileMode, hidden func(isDir bool) bool) bool {
	return hidden(t.IsDir()) && (t != fs.ModeSymlink || !l.Follows() || hidden(true))
}

// LeadsOut reports whether a symbolic link in the directory dir of a tree (slash-separated, "" for its root)
// may lead out of that tree: its target is absolute, or goes up more levels than the link is deep, or goes up
// after going down, because where that ends depends on other links.
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
