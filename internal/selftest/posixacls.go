package selftest

import (
	"bytes"
	"encoding/binary"
	"io/fs"
)

// Where Linux has ACLs.
const (
	posixAccess  = "system.posix_acl_access"
	posixDefault = "system.posix_acl_default"
)

// A posixEntry is one of an ACL of POSIX. Its who is a user's or a group's number, or
// nobody's.
type posixEntry struct {
	tag, perm uint16
	who       uint32
}

const (
	tagOwner  = 0x1
	tagUser   = 0x2
	tagGroup  = 0x4
	tagMask   = 0x10
	tagOthers = 0x20
	nobody    = 1<<32 - 1
)

// posixACL returns an ACL as Linux takes it.
func posixACL(entries ...posixEntry) []byte {
	p := binary.LittleEndian.AppendUint32(nil, 2)
	for _, e := range entries {
		p = binary.LittleEndian.AppendUint16(p, e.tag)
		p = binary.LittleEndian.AppendUint16(p, e.perm)
		p = binary.LittleEndian.AppendUint32(p, e.who)
	}
	return p
}

// masked returns an ACL that gives the owner some rights, and the user others, under
// a mask.
func (x *box) masked(owner, mask uint16) []byte {
	return posixACL(posixEntry{tagOwner, owner, nobody}, posixEntry{tagUser, 7, uint32(x.User.UID)},
		posixEntry{tagGroup, 4, nobody}, posixEntry{tagMask, mask, nobody}, posixEntry{tagOthers, 0, nobody})
}

func posixACLChecks() []check {
	return []check{
		{"the mask of an ACL is the group's part of the mode", linux, anyone, aclSetsMode},
		{"an ACL that says what the mode does is none", linux, anyone, trivialACL},
	}
}

// enforced skips the check where the volume has no ACLs, or keeps them without a look
// at what they say.
func (x *box) enforced() {
	if x.loose {
		x.skipf("nobody looks at what an ACL says here")
	}
	x.file("acl", 0o600, "")
	n := x.node("acl")
	x.able(n.SetXattr(posixAccess, x.masked(6, 4)))
	x.must(x.dir.Remove("acl"))
}

func aclSetsMode(x *box) {
	x.enforced()
	x.file("f", 0o640, "")
	n := x.node("f")
	x.must(n.SetXattr(posixAccess, x.masked(6, 7)))
	equal(x, "the mode", x.attr("f").Mode, 0o670)
	for _, mode := range []fs.FileMode{0o600, 0o751, 0o070, 0o624} {
		before, err := n.Xattr(posixAccess)
		x.must(err)
		x.must(n.Chmod(mode))
		after, err := n.Xattr(posixAccess)
		x.must(err)
		if want := x.Profile.FitACL(posixAccess, before, mode); !bytes.Equal(after, want) {
			x.failf("mode %o makes it %x, not %x", mode, after, want)
		}
		equal(x, "the mode", x.attr("f").Mode, mode)
	}
	x.must(n.RemoveXattr(posixAccess))
	x.notef("when it is removed, the mode is %v", x.attr("f").Mode)
}

func trivialACL(x *box) {
	x.enforced()
	x.file("f", 0o600, "")
	n := x.node("f")
	acl := posixACL(posixEntry{tagOwner, 6, nobody}, posixEntry{tagGroup, 4, nobody}, posixEntry{tagOthers, 0, nobody})
	if !x.Profile.TrivialACL(posixAccess, acl) {
		x.failf("psync takes it for one")
	}
	x.must(n.SetXattr(posixAccess, acl))
	equal(x, "the mode", x.attr("f").Mode, 0o640)
	names, err := n.Xattrs(true)
	x.must(err)
	x.notef("then the file has %s", listed(names))
}

// anACL returns an ACL that may be set on a file, and where it belongs, or "".
func (x *box) anACL() (name string, value []byte) {
	switch {
	case x.volume.ServerACLs:
	case x.in() == mac:
		return securityName, macACL(ace{permits, mayRead})
	case x.in() == linux && !x.loose:
		return posixAccess, x.masked(6, 4)
	}
	return "", nil
}

func (x *box) trivial(name string, acl []byte) bool {
	return x.Profile.TrivialACL != nil && x.Profile.TrivialACL(name, acl)
}

func (x *box) canonical(acl []byte) []byte {
	if x.Profile.CanonicalACL == nil {
		return acl
	}
	return x.Profile.CanonicalACL(acl)
}
