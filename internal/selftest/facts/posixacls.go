package facts

import (
	"bytes"
	"io/fs"

	"psync/internal/selftest/acl"
	"psync/internal/selftest/check"
	"psync/internal/vfs"
)

func posixACLChecks() []check.Check {
	return []check.Check{
		{Name: "the mask of an ACL is the group's part of the mode", On: check.Linux, Run: aclSetsMode},
		{Name: "an ACL that says what the mode does is none", On: check.Linux, Run: trivialACL},
	}
}

func aclSetsMode(t *check.T) {
	t.SkipUnlessPosixACLs()
	t.WriteFile("f", 0o640, "")
	n := t.Node("f")
	t.Must(vfs.SetXattr(n, acl.PosixAccess, acl.Masked(t.User.UID, 6, 7)))
	check.Equal(t, "the mode", t.Lstat("f").Mode, 0o670)
	for _, mode := range []fs.FileMode{0o600, 0o751, 0o070, 0o624} {
		before, err := n.Xattr(acl.PosixAccess)
		t.Must(err)
		t.Must(vfs.Chmod(n, mode))
		after, err := n.Xattr(acl.PosixAccess)
		t.Must(err)
		if want := t.Profile.FitACL(acl.PosixAccess, before, mode); !bytes.Equal(after, want) {
			t.Fatalf("mode %o makes it %x, not %x", mode, after, want)
		}
		check.Equal(t, "the mode", t.Lstat("f").Mode, mode)
	}
	t.Must(vfs.RemoveXattr(n, acl.PosixAccess))
	t.Logf("when it is removed, the mode is %v", t.Lstat("f").Mode)
}

func trivialACL(t *check.T) {
	t.SkipUnlessPosixACLs()
	t.WriteFile("f", 0o600, "")
	n := t.Node("f")
	minimal := acl.Minimal()
	if !t.Profile.TrivialACL(acl.PosixAccess, minimal) {
		t.Fatalf("psync takes it for one")
	}
	t.Must(vfs.SetXattr(n, acl.PosixAccess, minimal))
	check.Equal(t, "the mode", t.Lstat("f").Mode, 0o640)
	names, err := n.Xattrs(true)
	t.Must(err)
	t.Logf("then the file has %s", check.Listed(names))
}
