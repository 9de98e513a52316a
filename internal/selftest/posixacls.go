package selftest

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io/fs"
	"slices"

	"psync/internal/metadata"
	"psync/internal/vfs"
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
		{"a default ACL is inherited", linux, anyone, aclInherited},
		{"an ACL that is read can be set on another entry", 0, anyone, aclAgain},
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

func aclInherited(x *box) {
	x.enforced()
	d := x.mkdir("d", 0o700)
	x.must(x.node("d").SetXattr(posixDefault, x.masked(6, 4)))
	if m, ok := d.dir.(vfs.DefaultACLChecker); !ok || !m.HasDefaultACL() {
		x.failf("the directory does not say that it has one")
	}
	d.file("f", 0o666, "")
	equal(x, "the mode of a new file", d.attr("f").Mode, 0o640)
	acl, err := d.node("f").Xattr(posixAccess)
	x.must(err)
	if want := x.masked(6, 4); !bytes.Equal(acl, want) {
		x.failf("the ACL of a new file is %x, not %x", acl, want)
	}
	d.mkdir("sub", 0o777)
	acl, err = d.node("sub").Xattr(posixDefault)
	x.must(err)
	if want := x.masked(6, 4); !bytes.Equal(acl, want) {
		x.failf("the default ACL of a new directory is %x, not %x", acl, want)
	}
	x.must(d.node("f").RemoveXattr(posixAccess))
	x.must(d.dir.Chmod("f", 0o666))
	equal(x, "the mode without it", d.attr("f").Mode, 0o666)
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

// aclAgain copies all that an entry has of ACLs, whatever kind the volume knows.
func aclAgain(x *box) {
	x.file("f", 0o640, "")
	x.file("g", 0o640, "")
	if name, value := x.anACL(); name != "" {
		x.able(x.node("f").SetXattr(name, value))
	}
	names, err := x.node("f").Xattrs(true)
	x.able(err)
	names = slices.DeleteFunc(names, func(name string) bool { return x.Profile.Xattr(name)&metadata.IsACL == 0 })
	x.notef("it has %s", listed(names))
	for _, name := range names {
		value, err := x.node("f").Xattr(name)
		x.must(err)
		x.must(x.node("g").SetXattr(name, value))
		got, err := x.node("g").Xattr(name)
		if errors.Is(err, fs.ErrNotExist) && x.trivial(name, value) {
			continue
		}
		x.must(err)
		if !bytes.Equal(x.canonical(got), x.canonical(value)) {
			x.failf("%s of the other file is %x, not %x", name, got, value)
		}
	}
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
