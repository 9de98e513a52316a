package localfs

import (
	"cmp"
	"errors"
	"strings"

	"golang.org/x/sys/unix"

	"psync/internal/sys"
	"psync/internal/vfs"
)

// Node returns the entry at path as a Node, which the caller closes; see [vfs.Dir]. It does not follow a
// symbolic link unless path ends in a slash.
func (a At) Node(path string) (vfs.Node, error) {
	parent, base := splitPath(path)
	if parent == "" && base != "" {
		return a.dir.Node(base)
	}
	if base == "" {
		// A directory that is accessed by its own name need not be readable.
		if own := trimDots(path); own != path {
			if attr, err := a.Stat(own, false); err == nil && attr.Mode.IsDir() {
				return a.Node(own)
			}
		}
	}
	flags := unix.O_RDONLY
	if base != "" {
		flags = sys.OSearch // it need not be readable
	}
	fd, err := sys.Openat(a.dir.fd, cmp.Or(parent, path), flags|unix.O_DIRECTORY, 0)
	if err != nil {
		return nil, vfs.PathError("open", path, err)
	}
	in := At{&dir{fd: fd}}
	n, err := in.dir.Node(cmp.Or(base, "."))
	if err != nil {
		return nil, errors.Join(err, in.Close())
	}
	return &nodeIn{n, in}, nil
}

// A nodeIn is a node in a directory that was opened only for it.
type nodeIn struct {
	vfs.Node
	in At
}

func (n *nodeIn) Close() error { return errors.Join(n.Node.Close(), n.in.Close()) }

// trimDots removes slashes and "." elements from the end of a path.
func trimDots(path string) string {
	for {
		shorter := strings.TrimRight(strings.TrimSuffix(path, "/."), "/")
		if shorter == path || shorter == "" {
			return path
		}
		path = shorter
	}
}

// splitPath splits a path before its last element, unless that element does not name an entry of the directory before
// it.
func splitPath(path string) (dir, base string) {
	i := strings.LastIndexByte(path, '/') + 1
	dir, base = path[:i], path[i:]
	if base == "." || base == ".." || base == "" {
		return path, ""
	}
	return dir, base
}

// Entry returns the identity of the directory that contains the last element of a path, ignoring
// slashes at the end, and the name of that element. If the directory's own path ends in a symbolic
// link, followDir says whether to follow it.
func (a At) Entry(path string, followDir bool) (dir vfs.ID, name string, err error) {
	trimmed := strings.TrimRight(path, "/")
	i := strings.LastIndexByte(trimmed, '/') + 1
	parent := strings.TrimRight(trimmed[:i], "/")
	if i > 0 {
		parent = cmp.Or(parent, "/")
	}
	attr, err := a.Stat(cmp.Or(parent, "."), followDir)
	return attr.ID(), trimmed[i:], err
}
