package attrs

import (
	"errors"
	"io/fs"
	"slices"

	"psync/internal/gnucp/entry"
	"psync/internal/gnucp/policy"
	"psync/internal/output"
	"psync/internal/vfs"
)

// entryMode sets the mode of an entry that is neither a regular file nor a link.
func (s *Setter) entryMode(e *entry.Copy, n *sides, mode fs.FileMode) bool {
	switch {
	case s.Preserve.Mode:
		return s.copyMode(e, n, mode)
	case s.Preserve.NoMode && e.New:
		var made fs.FileMode
		if e.Made != nil {
			made = e.Made.Mode
		}
		return s.plainMode(e, n, policy.Plain(mode, made))
	case e.New:
		return s.restoreMode(e)
	}
	return true
}

// restoreMode adds the rights that a new entry lacked while it was filled, and removes the extra rights that it
// had.
func (s *Setter) restoreMode(e *entry.Copy) bool {
	omitted := s.Omitted(e.Attr.Mode) &^ s.Umask
	narrowed := e.Made != nil && e.Made.Mode&0o700 != 0o700
	if omitted == 0 && !narrowed {
		return true
	}
	now := e.Made
	if now == nil {
		attr, err := e.Dst.At.Stat(e.DestName(), false)
		if err != nil {
			return e.Out.Fail(err, "cannot stat %s", e.Dst)
		}
		now = &attr
	}
	if omitted&^now.Mode == 0 && !narrowed {
		return true
	}
	if err := e.Dst.At.Chmod(e.DestName(), now.Mode|omitted); err != nil {
		return s.excuses(e, err, "preserving permissions for %s")
	}
	return true
}

// Directory gives a directory the mode and the ACLs of its source. Links may lead to source and destination,
// but not to a destination that this run made.
func (s *Setter) Directory(e *entry.Copy) bool {
	src, err := e.Src.At.Node(e.Src.Name + "/")
	if err != nil {
		return e.Out.Fail(err, "preserving permissions for %s", output.Word(e.Dst.String()))
	}
	n := &sides{src: src}
	defer n.close()
	name := e.Dst.Name
	if !e.New {
		name += "/"
	}
	if n.dst, err = e.Dst.At.Node(name); err != nil {
		return e.Out.Fail(err, "preserving permissions for %s", output.Word(e.Dst.String()))
	}
	return s.copyMode(e, n, e.Attr.Mode)
}

// copyMode gives a copy the mode of its source, and its ACLs.
func (s *Setter) copyMode(e *entry.Copy, n *sides, mode fs.FileMode) bool {
	err := vfs.Chmod(n.dst, mode)
	if err == nil {
		err = copyACLs(e, n)
	}
	if err != nil {
		e.Out.Fail(err, "preserving permissions for %s", output.Word(e.Dst.String()))
		return !s.Preserve.Required
	}
	return true
}

// plainMode gives a copy the mode that the umask alone gives a new file.
func (s *Setter) plainMode(e *entry.Copy, n *sides, mode fs.FileMode) bool {
	err := vfs.Chmod(n.dst, mode&^s.Umask)
	if err == nil {
		err = dropACLs(n.dst, isDefaultACL)
	}
	if err != nil {
		return e.Out.Fail(err, "setting permissions for %s", output.Word(e.Dst.String()))
	}
	return true
}

// copyACLs makes the ACLs of a copy those of its source. An ACL that says no more than the mode needs no place in the
// destination: on NFS 4, every entry has one.
func copyACLs(e *entry.Copy, n *sides) error {
	names, err := n.xattrs()
	if err != nil && !errors.Is(err, errors.ErrUnsupported) {
		return err
	}
	for _, name := range names {
		if !isACL(name) {
			continue
		}
		value, err := n.src.Xattr(name)
		if err == nil {
			err = vfs.SetXattr(n.dst, name, value)
		}
		if err != nil && !(errors.Is(err, errors.ErrUnsupported) && isTrivialACL(name, value)) {
			return err
		}
	}
	if e.New && e.Parent != nil && !e.Parent.GivesACLs {
		return nil // the copy cannot have any
	}
	return dropACLs(n.dst, func(name string) bool { return slices.Contains(names, name) })
}
