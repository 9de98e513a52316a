package attrs

import (
	"errors"
	"io/fs"
	"syscall"

	"psync/internal/gnucp/entry"
	"psync/internal/gnucp/policy"
	"psync/internal/vfs"
)

// A Setter sets attributes according to the options of a run. Its methods report errors, and return false if an
// error makes the copy a failure.
type Setter struct {
	*policy.Options
	Root  bool // the user is root
	Umask fs.FileMode
}

// MayIgnore reports whether err means only that the user is not root. Only root may give files away.
func (s *Setter) MayIgnore(err error) bool {
	return !s.Root && (errors.Is(err, syscall.EPERM) || errors.Is(err, syscall.EINVAL))
}

// needsNodes reports whether the options require nodes.
func (s *Setter) needsNodes() bool {
	return s.Preserve.Mode || s.Preserve.Xattr || s.Preserve.Context || s.Preserve.NoMode
}

// excuses reports an attribute that could not be preserved, and returns whether the copy still counts as a
// success.
func (s *Setter) excuses(e *entry.Copy, err error, format string) bool {
	e.Out.Fail(err, format, e.Dst)
	return !s.Preserve.Required
}

// sides are the source and the copy, as far as their attributes are needed.
type sides struct {
	src, dst vfs.Node

	listed bool
	names  []string // the extended attributes of src, including ACLs
	err    error    // why the names are not available
}

// xattrs returns the names of the source's extended attributes.
func (n *sides) xattrs() ([]string, error) {
	if !n.listed {
		n.listed = true
		n.names, n.err = n.src.Xattrs(true)
	}
	return n.names, n.err
}

func (n *sides) close() {
	for _, node := range []vfs.Node{n.src, n.dst} {
		if node != nil {
			_ = node.Close() // nothing was written through it
		}
	}
}

func sameOwner(a, b vfs.Attr) bool { return a.UID == b.UID && a.GID == b.GID }
