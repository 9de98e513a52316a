// Package attrs gives copies the attributes of their sources as GNU cp(1) does: it sets the same attributes in
// the same order, and prints the same messages on failure.
package attrs

import (
	"errors"
	"io/fs"

	"psync/internal/gnucp/entry"
	"psync/internal/gnucp/policy"
	"psync/internal/vfs"
)

// File sets the attributes of an open file. dst has a name in the directory of e.Dst, now holds its known
// attributes, and extra the rights that its mode has temporarily.
func (s *Setter) File(e *entry.Copy, src, dst vfs.File, name string, now vfs.Attr, extra fs.FileMode) bool {
	n := new(sides)
	if s.needsNodes() {
		n.src, n.dst = src, dst
	}
	if s.Preserve.Timestamps {
		err := vfs.Chtimes(dst, e.Attr.Atime, e.Attr.Mtime)
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
		if err := vfs.Chmod(dst, e.Attr.Mode.Perm()&^s.Umask); err != nil && !s.excuses(e, err, "preserving permissions for %s") {
			return false
		}
	}
	return ok
}

// Entry sets the attributes of an entry that is not a regular file and that is found by its name.
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

// open opens the source and the copy, if setting the remaining attributes takes more than their names.
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

// give sets the owner and group of a copy to those of the source, as far as the user may. Before the owner of
// an existing copy changes, give takes away the access that its old mode grants to other users. give returns
// given false if the copy must not have set-id bits, and ok false if that is a failure.
func (s *Setter) give(e *entry.Copy, dst vfs.Settable, was fs.FileMode) (given, ok bool) {
	if !e.New && s.Preserve.Mode {
		if err := vfs.Chmod(dst, was&e.Attr.Mode&0o700); err != nil {
			if !s.MayIgnore(err) {
				e.Out.Fail(err, "clearing permissions for %s", e.Dst)
			}
			return false, !s.Preserve.Required
		}
	}
	err := vfs.Chown(dst, int(e.Attr.UID), int(e.Attr.GID))
	if err == nil {
		return true, true
	}
	if s.MayIgnore(err) {
		return false, true
	}
	e.Out.Fail(err, "failed to preserve ownership for %s", e.Dst)
	return false, !s.Preserve.Required
}
