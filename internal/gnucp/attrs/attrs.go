// Package attrs gives copies the attributes of their sources, as cp(1) of the GNU system does: the same
// ones, in the same order, with the same words where that fails.
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

// needsNodes reports whether it takes nodes to do what is asked for.
func (s *Setter) needsNodes() bool {
	return s.Preserve.Mode || s.Preserve.Xattr || s.Preserve.Context || s.Preserve.NoMode
}

// File gives a file that is open its attributes. dst has a name in the directory of e.Dst; now is what is known of
// it, extra what its mode has for a while.
func (s *Setter) File(e *entry.Copy, src, dst vfs.File, name string, now vfs.Attr, extra fs.FileMode) bool {
	n := new(sides)
	if s.needsNodes() {
		n.src, n.dst = src, dst
	}
	if s.Preserve.Timestamps {
		err := dst.Chtimes(e.Attr.Atime, e.Attr.Mtime)
		if errors.Is(err, errors.ErrUnsupported) {
			err = e.Dst.At.Chtimes(name, e.Attr.Atime, e.Attr.Mtime, true)
		}
		if err != nil && !s.excuses(e, err, "preserving times for %s") {
			return false
		}
	}
	mode := e.Attr.Mode
	if s.Preserve.Ownership && !sameOwner(now, e.Attr) {
		owned, ok := s.give(e, dst, now.Mode)
		if !ok {
			return false
		}
		if !owned {
			mode &^= policy.SpecialBits
		}
	}
	ok := s.copyXattrs(e, n)
	switch {
	case s.Preserve.Mode:
		return s.copyMode(e, n, mode) && ok
	case s.Preserve.NoMode && e.New:
		return s.plainMode(e, n, policy.Plain(0, 0)) && ok
	}
	var missing fs.FileMode
	if e.New {
		missing = s.Omitted(e.Attr.Mode) &^ s.Umask
	}
	if missing|extra != 0 {
		if err := dst.Chmod(e.Attr.Mode.Perm() &^ s.Umask); err != nil && !s.excuses(e, err, "preserving permissions for %s") {
			return false
		}
	}
	return ok
}

func sameOwner(a, b vfs.Attr) bool { return a.UID == b.UID && a.GID == b.GID }

// excuses tells what could not be kept, and reports whether that is no failure.
func (s *Setter) excuses(e *entry.Copy, err error, format string) bool {
	e.Out.Fail(err, format, e.Dst)
	return !s.Preserve.Required
}

// Entry gives what is no regular file, and exists by its name, its attributes.
func (s *Setter) Entry(e *entry.Copy) bool {
	if s.Preserve.Timestamps {
		err := e.Dst.At.Chtimes(e.DestName(), e.Attr.Atime, e.Attr.Mtime, e.Through)
		if err != nil && !s.excuses(e, err, "preserving times for %s") {
			return false
		}
	}
	n, err := s.open(e)
	if err != nil {
		return e.Out.Fail(err, "preserving permissions for %s", e.Dst)
	}
	defer n.close()
	mode, link := e.Attr.Mode, s.SymbolicLink && !e.Attr.Mode.IsDir() || policy.IsLink(e.Attr.Mode)
	if !link && s.Preserve.Ownership && (e.New || e.Was == nil || !sameOwner(*e.Was, e.Attr)) {
		was := mode
		if e.Was != nil {
			was = e.Was.Mode
		}
		owned, ok := s.give(e, n.dst, was)
		if !ok {
			return false
		}
		if !owned {
			mode &^= policy.SpecialBits
		}
	}
	if !s.copyXattrs(e, n) {
		return false
	}
	return link || s.entryMode(e, n, mode)
}

// open returns source and copy, if it takes more than their names to do what is left.
func (s *Setter) open(e *entry.Copy) (n *sides, err error) {
	n = new(sides)
	if !s.Preserve.Ownership && !s.needsNodes() {
		return n, nil
	}
	if n.src, err = e.Src.At.Node(e.Src.Name); err != nil {
		return n, err
	}
	if n.dst, err = e.Dst.At.Node(e.DestName()); err != nil {
		n.close()
	}
	return n, err
}

// An owned is what can be given away.
type owned interface {
	Chown(uid, gid int) error
	Chmod(mode fs.FileMode) error
}

// give makes a copy belong to whom the source does, as far as the user may. Before an existing one
// changes hands, nobody else may use what its old mode allows. It returns false for given if
// the copy must have no set-id bits, and for ok if that is a failure.
func (s *Setter) give(e *entry.Copy, dst owned, was fs.FileMode) (given, ok bool) {
	if !e.New && s.Preserve.Mode {
		if err := dst.Chmod(was & e.Attr.Mode & 0o700); err != nil {
			if !s.MayIgnore(err) {
				e.Out.Fail(err, "clearing permissions for %s", e.Dst)
			}
			return false, !s.Preserve.Required
		}
	}
	err := dst.Chown(int(e.Attr.UID), int(e.Attr.GID))
	if err == nil {
		return true, true
	}
	if s.MayIgnore(err) {
		_ = dst.Chown(-1, int(e.Attr.GID)) // the user may be in that group
		return false, true
	}
	e.Out.Fail(err, "failed to preserve ownership for %s", e.Dst)
	return false, !s.Preserve.Required
}
