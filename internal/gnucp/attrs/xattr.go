package attrs

import (
	"errors"
	"io/fs"
	"slices"
	"strings"

	"psync/internal/gnucp/entry"
	"psync/internal/metadata"
	"psync/internal/vfs"
)

const (
	selinux    = "security.selinux"    // holds a security context
	capability = "security.capability" // holds the capabilities of a program
)

// copyXattrs gives a copy the extended attributes of its source. It returns false if an error makes the copy a
// failure.
func (s *Setter) copyXattrs(e *entry.Copy, n *sides) bool {
	if !s.Preserve.Xattr && !s.Preserve.Context {
		return true
	}
	names, err := n.xattrs()
	if err != nil {
		s.reportXattr(e, err, "listing attributes of %s", e.Src)
		return !s.Preserve.RequireXattr
	}
	ok := true
	for _, name := range names {
		switch {
		case name == selinux:
			ok = (!s.Preserve.Context || s.copyContext(e, n)) && ok
		case s.Preserve.Xattr && !isACL(name) && !foreign(name):
			ok = (s.copyXattr(e, n, name) || !s.Preserve.RequireXattr) && ok
		}
	}
	return ok
}

// foreign reports whether an attribute means nothing in another place. These are the attributes that
// xattr.conf(5), the configuration of libattr, says to skip or to leave to ACLs.
func foreign(name string) bool {
	for _, prefix := range []string{"afs.", "system.nfs4", "trusted.SGI_", "user.Beagle.", "xfsroot."} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return name == "security.evm"
}

func (s *Setter) copyXattr(e *entry.Copy, n *sides, name string) bool {
	value, err := n.src.Xattr(name)
	if err != nil {
		s.reportXattr(e, err, "getting attribute %s of %s", name, e.Src)
		return false
	}
	if err = vfs.SetXattr(n.dst, name, value); err == nil {
		return true
	}
	if errors.Is(err, errors.ErrUnsupported) {
		s.reportXattr(e, err, "setting attributes for %s", e.Dst)
	} else {
		s.reportXattr(e, err, "setting attribute %s for %s", name, e.Dst)
	}
	return false
}

// reportXattr reports an extended attribute that was not preserved, if the options ask for that.
func (s *Setter) reportXattr(e *entry.Copy, err error, format string, args ...any) {
	if s.Preserve.RequireXattr || s.AttributesOnly || !s.Preserve.Quiet && !errors.Is(err, errors.ErrUnsupported) {
		e.Out.Fail(err, format, args...)
	}
}

// copyContext gives a copy the security context of its source.
func (s *Setter) copyContext(e *entry.Copy, n *sides) bool {
	value, err := n.src.Xattr(selinux)
	if err == nil {
		err = vfs.SetXattr(n.dst, selinux, value)
	}
	if err != nil && (s.Preserve.RequireContext || s.AttributesOnly || !s.Preserve.Quiet && !errors.Is(err, errors.ErrUnsupported)) {
		e.Out.Fail(err, "failed to set the security context of %s", e.Dst)
	}
	return err == nil || !s.Preserve.RequireContext
}

// Label gives a new entry the security context that the options ask for.
func (s *Setter) Label(e *entry.Copy) bool {
	if s.Context == "" || !e.New || s.HardLink {
		return true
	}
	n, err := e.Dst.At.Node(e.DestName())
	if err == nil {
		err = errors.Join(vfs.SetXattr(n, selinux, []byte(s.Context)), n.Close())
	}
	if err != nil {
		return e.Out.Fail(err, "failed to set the security context of %s", e.Dst)
	}
	return true
}

// Imitate gives a new file the owner, mode and extended attributes, including ACLs, of the file that it will
// replace, as if the old file were written in place.
func Imitate(e *entry.Copy, file vfs.File) error {
	now, err := vfs.Stat(file)
	if err == nil && !sameOwner(now, *e.Was) {
		err = vfs.Chown(file, int(e.Was.UID), int(e.Was.GID))
	}
	if err == nil {
		err = vfs.Chmod(file, e.Was.Mode)
	}
	if err != nil {
		return err
	}
	old, err := e.Dst.At.Node(e.Dst.Name)
	if err != nil {
		return err
	}
	return errors.Join(imitateXattrs(file, old), old.Close())
}

func imitateXattrs(dst, old vfs.Node) error {
	names, err := old.Xattrs(true)
	if err != nil {
		return supported(err)
	}
	if err := dropACLs(dst, func(name string) bool { return slices.Contains(names, name) }); err != nil {
		return err
	}
	for _, name := range names {
		value, err := old.Xattr(name)
		if err == nil {
			err = vfs.SetXattr(dst, name, value)
		}
		if err != nil && name != capability { // a write in place would also remove the capability
			return err
		}
	}
	return nil
}

// dropACLs removes the ACLs of n except those that but reports, and those that entries always have, as on NFS 4.
func dropACLs(n vfs.Node, but func(name string) bool) error {
	names, err := n.Xattrs(true)
	if err != nil {
		return supported(err)
	}
	for _, name := range names {
		if isACL(name) && fateOf(name)&metadata.Deletes != 0 && !but(name) {
			if err := vfs.RemoveXattr(n, name); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return supported(err)
			}
		}
	}
	return nil
}

// supported drops errors which mean that an attribute does not exist or is not supported.
func supported(err error) error {
	if errors.Is(err, errors.ErrUnsupported) {
		return nil
	}
	return err
}

// isDefaultACL reports whether an ACL applies not to a directory itself, but to the entries made in it.
func isDefaultACL(name string) bool { return strings.HasSuffix(name, "acl_default") }

func isACL(name string) bool { return fateOf(name)&metadata.IsACL != 0 }

func fateOf(name string) metadata.Fate { return metadata.Native().Xattr(name) }

// isTrivialACL reports whether an ACL says no more than the mode does.
func isTrivialACL(name string, value []byte) bool {
	trivial := metadata.Native().TrivialACL
	return trivial != nil && trivial(name, value)
}
