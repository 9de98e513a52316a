package selftest

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io/fs"
	"slices"

	"psync/internal/report"
)

// securityName is where ACLs of macOS are.
const securityName = "com.apple.system.Security"

// An ace is an entry of an ACL of macOS that is about everyone.
type ace struct{ flags, rights uint32 }

// Flags and rights of entries (sys/kauth.h).
const (
	permits     = 1
	denies      = 2
	inherited   = 1 << 4
	fileInherit = 1 << 5
	dirInherit  = 1 << 6

	mayRead        = 1 << 1
	mayDelete      = 1 << 4
	mayDeleteChild = 1 << 6
	mayWriteAttr   = 1 << 8
	mayWriteXattr  = 1 << 10
	mayEverything  = 0x3ffe
)

// everyone is the UUID of the group 12, which everybody is in.
var everyone = []byte{0xab, 0xcd, 0xef, 0xab, 0xcd, 0xef, 0xab, 0xcd, 0xef, 0xab, 0xcd, 0xef, 0, 0, 0, 12}

// macACL returns an ACL as the kernel takes it (struct kauth_filesec).
func macACL(aces ...ace) []byte {
	p := make([]byte, 44)
	binary.LittleEndian.PutUint32(p, 0x012cc16d)
	binary.LittleEndian.PutUint32(p[36:], uint32(len(aces)))
	for _, a := range aces {
		p = append(p, everyone...)
		p = binary.LittleEndian.AppendUint32(p, a.flags)
		p = binary.LittleEndian.AppendUint32(p, a.rights)
	}
	return p
}

// acl returns that of an entry, in a form by which two are equal that mean the same,
// or nil.
func (x *box) acl(name string) []byte {
	p, err := x.node(name).Xattr(securityName)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	x.able(err)
	return x.Profile.CanonicalACL(p)
}

// wantACL wants an entry to have these entries, or without any to have no ACL.
func (x *box) wantACL(what, name string, aces ...ace) {
	var want []byte
	if len(aces) > 0 {
		want = macACL(aces...)
	}
	if got := x.acl(name); !bytes.Equal(got, want) {
		x.failf("%s is %x, not %x", what, got, want)
	}
}

func macACLChecks() []check {
	return []check{
		{"an ACL is set, replaced, emptied and removed exactly", mac, anyone, macACLs},
		{"an ACL leaves the mode alone, and the mode the ACL", mac, anyone, macACLAndMode},
		{"entries of an ACL are inherited", mac, anyone, macInherits},
		{"ACLs of a server are left alone, or copied if asked for", mac, anyone, servedACLs},
		{"an ACL that denies keeps its owner from deleting and from changing attributes", mac, ordinary, macDenies},
	}
}

func macACLs(x *box) {
	x.notServed()
	x.file("f", 0o640, "")
	n := x.node("f")
	x.wantACL("the ACL of a new file", "f")
	one := []ace{{denies, mayDelete}, {permits, mayRead}}
	x.able(n.SetXattr(securityName, macACL(one...)))
	x.wantACL("the ACL", "f", one...)
	two := []ace{{permits, mayRead}, {denies, mayWriteXattr}, {permits | inherited, mayRead}}
	x.must(n.SetXattr(securityName, macACL(two...)))
	x.wantACL("another one", "f", two...)
	many := slices.Repeat([]ace{{permits, mayRead}, {permits, mayDelete}}, 64)
	if x.noted("128 entries", n.SetXattr(securityName, macACL(many...))) {
		x.wantACL("one of 128 entries", "f", many...)
	}
	if x.noted("an empty ACL", n.SetXattr(securityName, macACL())) {
		x.notef("an empty ACL becomes %x", x.acl("f"))
	}
	x.must(n.SetXattr(securityName, macACL(one...)))
	x.must(n.RemoveXattr(securityName))
	x.wantACL("a removed one", "f")
	x.notef("removing it again: %v", n.RemoveXattr(securityName))
}

func macACLAndMode(x *box) {
	x.file("f", 0o640, "")
	n := x.node("f")
	x.able(n.SetXattr(securityName, macACL(ace{permits, mayRead})))
	equal(x, "the mode", x.attr("f").Mode, 0o640)
	x.must(n.Chmod(0o604))
	equal(x, "the mode", x.attr("f").Mode, 0o604)
	x.wantACL("the ACL", "f", ace{permits, mayRead})
	x.must(x.dir.Rename("f", "g"))
	x.wantACL("the ACL of the renamed file", "g", ace{permits, mayRead})
}

// macInherits is what makes psync look at the ACL of what it has just made.
func macInherits(x *box) {
	x.notServed()
	d := x.mkdir("d", 0o700)
	given := ace{permits | fileInherit | dirInherit, mayRead}
	x.able(x.node("d").SetXattr(securityName, macACL(given)))
	d.file("f", 0o600, "")
	d.mkdir("sub", 0o700)
	for name, want := range map[string][]byte{
		"f":   macACL(ace{permits | inherited, mayRead}),
		"sub": macACL(ace{given.flags | inherited, mayRead}),
	} {
		got := d.acl(name)
		if got == nil {
			x.failf("%s has inherited nothing", name)
		}
		if !bytes.Equal(got, want) {
			x.notef("%s has inherited %x, not %x", name, got, want)
		}
		x.must(d.node(name).RemoveXattr(securityName))
		d.wantACL("a removed one", name)
	}
	x.must(d.dir.Rename("f", "g"))
	d.wantACL("that of a renamed file", "g")
	if x.noted("a link", d.dir.Symlink("g", "link")) {
		_, err := d.node("link").Xattr(securityName)
		x.notef("that of a link in it: %v", err)
	}
}

// macDenies is why ACLs are set last of all but flags.
func macDenies(x *box) {
	x.notServed()
	x.file("f", 0o600, "")
	n := x.node("f")
	x.able(n.SetXattr(securityName, macACL(ace{denies, mayDelete | mayWriteAttr | mayWriteXattr})))
	x.refused("renaming it", x.dir.Rename("f", "g"))
	x.refused("removing it", x.dir.Remove("f"))
	x.refused("setting its times", n.Chtimes(long, long))
	x.refused("setting an attribute", n.SetXattr(x.xattrName("a"), nil))
	x.notef("setting its mode: %v", n.Chmod(0o640))
	x.notef("setting its flags: %v", n.SetFlags(x.harmless()))
	x.must(n.SetXattr(securityName, macACL(ace{denies, mayDelete})))
	x.must(n.RemoveXattr(securityName))
	x.must(x.dir.Rename("f", "g"))
}

// servedACLs is why -a leaves ACLs of a server alone, and why psync looks whether one that was
// removed is gone.
func servedACLs(x *box) {
	if !x.volume.ServerACLs {
		x.skipf("no server decides about ACLs")
	}
	src, dst := x.mkdir("src", 0o700), x.mkdir("dst", 0o700)
	src.file("f", 0o600, "")
	n := src.node("f")
	x.notef("a new file has the ACL %x", src.acl("f"))
	x.notef("removing it: %v", n.RemoveXattr(securityName))
	x.notef("after that it is %x", src.acl("f"))
	x.able(n.SetXattr(securityName, macACL(ace{permits, mayEverything})))
	set := src.acl("f")
	x.notef("one that permits everything becomes %x", set)
	x.well(x.copy(src, dst))
	x.idle(x.copy(src, dst))
	x.notef("-a leaves the copy the ACL %x", dst.acl("f"))
	x.must(x.copy(src, dst, askingACLs).err)
	if got := dst.acl("f"); !bytes.Equal(got, set) {
		x.failf("-A gives the copy the ACL %x, not %x", got, set)
	}
	again := x.copy(src, dst, askingACLs)
	x.must(again.err)
	if len(again.events) > again.count(report.Unkept) {
		x.failf("the second run with -A: %s", words(again.events))
	}
}
