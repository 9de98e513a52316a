package attrs

import (
	"errors"
	"io/fs"
	"syscall"

	"psync/internal/gnucp/entry"
	"psync/internal/gnucp/policy"
	"psync/internal/vfs"
)

// A Setter sets attributes by the options of a run. Its methods return false after they have told what went
// wrong, if that makes the copy a failure.
type Setter struct {
	*policy.Options
	Root  bool // the user may do what others may not
	Umask fs.FileMode
}

// MayIgnore reports whether err says no more than that the user is not root, who alone may give files away.
func (s *Setter) MayIgnore(err error) bool {
	return !s.Root && (errors.Is(err, syscall.EPERM) || errors.Is(err, syscall.EINVAL))
}

// needsNodes reports whether it takes nodes to do what is asked for.
func (s *Setter) needsNodes() bool {
	return s.Preserve.Mode || s.Preserve.Xattr || s.Preserve.Context || s.Preserve.NoMode
}

// excuses tells what could not be kept, and reports whether that is no failure.
func (s *Setter) excuses(e *entry.Copy, err error, format string) bool {
	e.Out.Fail(err, format, e.Dst)
	return !s.Preserve.Required
}

// sides are the source and the copy, as far as they are asked for attributes.
type sides struct {
	src, dst vfs.Node

	listed bool
	names  []string // of extended attributes of src, ACLs included
	err    error    // why there are none
}

// xattrs returns the names of the extended attributes that the source has.
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
