package memfs_test

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"syscall"
	"testing"

	"psync/internal/vfs"
	"psync/internal/vfs/fstest"
	"psync/internal/vfs/memfs"
	"psync/internal/vfs/memfs/kernel"
)

// acl returns an attribute of a line that is an ACL about everyone.
func acl(aces ...kernel.ACE) string {
	var words []string
	for _, a := range aces {
		words = append(words, fmt.Sprintf("everyone:%#x:%#x", a.Flags, a.Rights))
	}
	return "@acl=" + strings.Join(words, ",")
}

func deny(rights uint32) kernel.ACE {
	return kernel.ACE{Who: kernel.Everyone, Flags: kernel.ACEDeny, Rights: rights}
}

func permit(rights uint32) kernel.ACE {
	return kernel.ACE{Who: kernel.Everyone, Flags: kernel.ACEPermit, Rights: rights}
}

// flagged returns an ACE with more flags.
func flagged(a kernel.ACE, flags uint32) kernel.ACE {
	a.Flags |= flags
	return a
}

// Rights as ACLs hold them.
const (
	aclWrite       = 1 << 2
	aclDelete      = 1 << 4
	aclDeleteChild = 1 << 6
	aclWriteAttr   = 1 << 8
	aclWriteXattr  = 1 << 10
	aclSecurity    = 1 << 12
)

func TestMacACLs(t *testing.T) {
	setACL := set(kernel.ACLName, string(kernel.FormatACL(deny(aclWriteAttr))))
	checkRules(t, []rule{
		{"deny delete: remove", user, "f 644 " + acl(deny(aclDelete)), remove, syscall.EACCES, ""},
		{"deny delete: rename", user, "f 644 " + acl(deny(aclDelete)), rename, syscall.EACCES, ""},
		{"deny delete: replace", user, "new 644\nf 644 " + acl(deny(aclDelete)), replace, syscall.EACCES, ""},
		{"deny delete: root", memfs.Mac{}, "f 644 " + acl(deny(aclDelete)), remove, nil, ""},
		{"deny delete: after it was permitted", user, "f 644 " + acl(permit(aclDelete), deny(aclDelete)), remove, nil, ""},
		{"deny delete_child", user, "d/f 644\nd/ 755 " + acl(deny(aclDeleteChild)), in("d", remove), syscall.EACCES, ""},
		{"permit delete_child", user, "d/f 644\nd/ 555 " + acl(permit(aclDeleteChild)), in("d", remove), nil, ""},
		{"permit delete", user, "d/f 644 " + acl(permit(aclDelete)) + "\nd/ 555", in("d", remove), nil, ""},
		{"deny writeattr: times", user, "f 644 " + acl(deny(aclWriteAttr)), touch, syscall.EACCES, ""},
		{"deny writeattr: mode", user, "f 644 " + acl(deny(aclWriteAttr)), chmod, nil, ""},
		{"deny writeextattr", user, "f 644 " + acl(deny(aclWriteXattr)), set("a", "x"), syscall.EACCES, ""},
		{"permit writeextattr", user, "f 444 " + acl(permit(aclWriteXattr)), set("a", "x"), nil, ""},
		{"deny add_file", user, "d/ 755 " + acl(deny(aclWrite)), in("d", create), syscall.EACCES, ""},
		{"deny add_file: replace", user, "d/f 644\nd/new 644\nd/ 755 " + acl(deny(aclWrite)), in("d", replace), syscall.EACCES, ""},
		{"deny writesecurity: to the owner", user, "f 644 " + acl(deny(aclSecurity)), setACL, nil, ""},
		{"an ACL of another's", user, "f 666 @owner=502:20", setACL, syscall.EPERM, ""},
		{"an ACL of a read-only file", user, "f 444", setACL, nil, "f 444 " + acl(deny(aclWriteAttr)) + "\n"},
		{"an ACL of a link", user, "f -> x", setACL, errors.ErrUnsupported, ""},
		{"an ACL on FAT", with(func(m *memfs.Mac) { m.FAT = true }), "f 644", setACL, errors.ErrUnsupported, ""},
		{"no ACL but noise", user, "f 644", set(kernel.ACLName, "noise"), syscall.EINVAL, "f 644\n"},
		{"an ACL cut short", user, "f 644", set(kernel.ACLName, strings.TrimSuffix(string(kernel.FormatACL(deny(aclWrite))), "\x00")), syscall.EINVAL, "f 644\n"},
		{"an empty ACL is one", user, "f 644", set(kernel.ACLName, string(kernel.FormatACL())), nil, "f 644 " + acl() + "\n"},
		{"an ACL that says there is none", user, "f 644 " + acl(deny(aclWriteAttr)), set(kernel.ACLName, noACL), nil, "f 644\n"},
		{"removing an ACL", user, "f 644 " + acl(deny(aclWriteAttr)), unset(kernel.ACLName), nil, "f 644\n"},
		{"removing none", user, "f 644", unset(kernel.ACLName), fs.ErrNotExist, "f 644\n"},
	}, fstest.WithXattrs)
}

// noACL is an ACL to remove the one that there is.
var noACL = "\x6d\xc1\x2c\x01" + strings.Repeat("\x00", 32) + "\xff\xff\xff\xff" + strings.Repeat("\x00", 4)

func TestMacInheritance(t *testing.T) {
	const file, dir, inherited = kernel.ACEFileInherit, kernel.ACEDirInherit, kernel.ACEInherited
	ace := deny(aclWriteAttr)
	make := func(d vfs.Dir) error {
		return errors.Join(create(d), vfs.Mkdir(d, "dir", 0o755), vfs.Symlink(d, "x", "link"))
	}
	tree := func(of, ofDir, ofFile string) string {
		return strings.ReplaceAll("d/ 755"+of+"\nd/dir/ 755"+ofDir+"\nd/link -> x\nd/new 644"+ofFile+"\n", "@", " @")
	}
	for _, r := range []struct {
		name                string
		flags               uint32
		ofDir, ofFile       bool
		dirFlags, fileFlags uint32
	}{
		{"none", 0, false, false, 0, 0},
		{"by files", file, false, true, 0, inherited},
		{"by directories", dir, true, false, dir | inherited, 0},
		{"by both", file | dir, true, true, file | dir | inherited, inherited},
	} {
		var ofDir, ofFile string
		if r.ofDir {
			ofDir = acl(flagged(ace, r.dirFlags))
		}
		if r.ofFile {
			ofFile = acl(flagged(ace, r.fileFlags))
		}
		of := acl(flagged(ace, r.flags))
		checkRules(t, []rule{{r.name, user, "d/ 755 " + of, in("d", make), nil, tree(of, ofDir, ofFile)}}, fstest.WithXattrs)
	}
	checkRules(t, []rule{{
		"by a clone of one that has another",
		user,
		"d/f 644 " + acl(permit(aclWrite)) + "\nd/ 755 " + acl(flagged(ace, file)),
		in("d", func(d vfs.Dir) error { return errors.Join(cloneFileOf(d, "f", "g", true), d.Remove("f", nil)) }),
		nil,
		"d/ 755 " + acl(flagged(ace, file)) + "\nd/g 644 " + acl(flagged(ace, inherited)) + "\n",
	}}, fstest.WithXattrs)
}

func TestMacListsACLsOnRequest(t *testing.T) {
	d, _ := newMac(t, user, "f 644 "+acl(deny(aclDelete)))
	must(t, onNode("f", func(n vfs.Node) error {
		without, err := n.Xattrs(false)
		must(t, err)
		with, err := n.Xattrs(true)
		if len(with) != len(without)+1 {
			t.Errorf("attributes %q, with ACLs %q", without, with)
		}
		return err
	})(d))
}

func TestMacShare(t *testing.T) {
	share := with(func(m *memfs.Mac) { m.Share = true })
	const synchronize = 1 << 20
	served := acl(flagged(permit(0x3ffe|synchronize), kernel.ACEInherited))
	setACL := func(aces ...kernel.ACE) func(vfs.Dir) error {
		return set(kernel.ACLName, string(kernel.FormatACL(aces...)))
	}
	checkRules(t, []rule{
		{"an ACL that no one has set", share, "f 644\nd/\nl -> f", touch, nil, "d/ 755 " + served + "\nf 644 " + served + "\nl -> f\n"},
		{"which is not removed", share, "f 644", unset(kernel.ACLName), nil, "f 644 " + served + "\n"},
		{"but replaced", share, "f 644", setACL(deny(aclDelete)), nil, "f 644 " + acl(deny(aclDelete|synchronize)) + "\n"},
		{"and not removed either", share, "f 644 " + acl(deny(aclDelete)), unset(kernel.ACLName), nil, "f 644 " + acl(deny(aclDelete)) + "\n"},
		{"an owner", share, "f 644", func(d vfs.Dir) error { return vfs.Chown(vfs.In(d, "f"), 7, 7) }, nil, "f 644 " + served + "\n"},
		{"a set-id bit", share, "f 644", func(d vfs.Dir) error { return vfs.Chmod(vfs.In(d, "f"), fs.ModeSetuid|0o711) }, nil, "f 711 " + served + "\n"},
		{"a clone", share, "f 644", func(d vfs.Dir) error { return cloneFileOf(d, "f", "g", true) }, errors.ErrUnsupported, ""},
	}, fstest.WithXattrs)
}
