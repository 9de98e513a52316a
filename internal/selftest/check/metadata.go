package check

import (
	"errors"
	"io/fs"

	"psync/internal/selftest/acl"
	"psync/internal/vfs"
)

// SkipUnlessPosixACLs skips the check if the volume has no ACLs, or stores them without interpreting them.
func (t *T) SkipUnlessPosixACLs() {
	if t.LooseACLs {
		t.Skipf("the volume does not interpret ACLs")
	}
	t.WriteFile("acl", 0o600, "")
	n := t.Node("acl")
	t.MustOrSkip(vfs.SetXattr(n, acl.PosixAccess, acl.Masked(t.User.UID, 6, 4)))
	t.Must(t.Dir.Remove("acl", nil))
}

// SomeACL returns the name and value of an ACL that may be set on a file. The name is "" if there is none.
func (t *T) SomeACL() (name string, value []byte) {
	switch {
	case t.Volume.ServerACLs:
	case t.System() == Mac:
		return acl.MacName, acl.Mac(acl.Allow(acl.Read))
	case t.System() == Linux && !t.LooseACLs:
		return acl.PosixAccess, acl.Masked(t.User.UID, 6, 4)
	}
	return "", nil
}

// MacACL returns the ACL of an entry on macOS, or nil, in a form in which equivalent ACLs are equal.
func (t *T) MacACL(name string) []byte {
	value, err := t.Node(name).Xattr(acl.MacName)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	t.MustOrSkip(err)
	return t.Profile.CanonicalACL(value)
}

// HarmlessFlag returns a flag that the owner may set and that locks nothing: nodump, or hidden on macOS,
// where FAT has no nodump.
func (t *T) HarmlessFlag() uint32 {
	switch t.System() {
	case Linux:
		return 0x40
	case Mac:
		return 0x8000
	}
	return 0x1
}

// XattrName returns the name of an extended attribute that any user may set.
func (t *T) XattrName(name string) string {
	if t.System() == Mac {
		return "org.psync." + name
	}
	return "user.psync." + name
}
