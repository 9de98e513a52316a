package gnucp

import (
	"errors"
	"io/fs"
	"slices"
	"strings"

	"psync/internal/gnucp/output"
	"psync/internal/metadata"
	"psync/internal/vfs"
)

// copyMode gives a copy the mode of its source, and its ACLs.
func (w *worker) copyMode(it *item, s *sides, mode fs.FileMode) bool {
	err := s.dst.Chmod(mode)
	if err == nil {
		err = w.copyACLs(it, s)
	}
	if err != nil {
		it.out.Fail(err, "preserving permissions for %s", output.Word(it.dst.String()))
		return !w.Preserve.Required
	}
	return true
}

// plainMode gives a copy the mode that a new file has by the umask alone.
func (w *worker) plainMode(it *item, s *sides, mode fs.FileMode) bool {
	err := s.dst.Chmod(mode &^ w.umask)
	if err == nil {
		err = dropACLs(s.dst, isDefaultACL)
	}
	if err != nil {
		return it.out.Fail(err, "setting permissions for %s", output.Word(it.dst.String()))
	}
	return true
}

// copyACLs makes the ACLs of a copy those of its source.
func (w *worker) copyACLs(it *item, s *sides) error {
	names, err := s.xattrs()
	if err != nil && !errors.Is(err, errors.ErrUnsupported) {
		return err
	}
	for _, name := range names {
		if !isACL(name) {
			continue
		}
		value, err := s.src.Xattr(name)
		if err == nil {
			err = s.dst.SetXattr(name, value)
		}
		if err != nil {
			return err
		}
	}
	if it.isNew && it.in != nil && !it.in.masked {
		return nil // it cannot have any
	}
	return dropACLs(s.dst, func(name string) bool { return slices.Contains(names, name) })
}

// dropACLs removes the ACLs of n, but for some.
func dropACLs(n vfs.Node, but func(name string) bool) error {
	names, err := n.Xattrs(true)
	if err != nil {
		return supported(err)
	}
	for _, name := range names {
		if isACL(name) && !but(name) {
			if err := n.RemoveXattr(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return supported(err)
			}
		}
	}
	return nil
}

// supported drops errors that say that there is nothing of the kind.
func supported(err error) error {
	if errors.Is(err, errors.ErrUnsupported) {
		return nil
	}
	return err
}

// isDefaultACL reports whether an ACL is no rule for a directory, but for what is made in it.
func isDefaultACL(name string) bool { return strings.HasSuffix(name, "acl_default") }

func isACL(name string) bool { return metadata.Native().Xattr(name)&metadata.IsACL != 0 }
