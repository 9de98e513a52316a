package facts

import (
	"bytes"
	"slices"

	"psync/internal/selftest/acl"
	"psync/internal/selftest/check"
	"psync/internal/vfs"
)

// wantACL fails the check unless the ACL of an entry has these entries. Without entries, it wants no ACL.
func wantACL(t *check.T, what, name string, entries ...acl.Entry) {
	var want []byte
	if len(entries) > 0 {
		want = acl.Mac(entries...)
	}
	if got := t.MacACL(name); !bytes.Equal(got, want) {
		t.Fatalf("%s is %x, not %x", what, got, want)
	}
}

func macACLChecks() []check.Check {
	return []check.Check{
		{Name: "an ACL is set, replaced, emptied and removed exactly", On: check.Mac, Run: macACLs},
		{Name: "an ACL leaves the mode alone, and the mode the ACL", On: check.Mac, Run: macACLAndMode},
		{Name: "entries of an ACL are inherited", On: check.Mac, Run: macInherits},
		{Name: "an ACL that denies keeps its owner from deleting and from changing attributes", On: check.Mac, By: check.Ordinary, Run: macDenies},
	}
}

func macACLs(t *check.T) {
	t.SkipIfServerACLs()
	t.WriteFile("f", 0o640, "")
	n := t.Node("f")
	wantACL(t, "the ACL of a new file", "f")
	one := []acl.Entry{acl.Deny(acl.Delete), acl.Allow(acl.Read)}
	t.MustOrSkip(vfs.SetXattr(n, acl.MacName, acl.Mac(one...)))
	wantACL(t, "the ACL", "f", one...)
	two := []acl.Entry{acl.Allow(acl.Read), acl.Deny(acl.WriteXattr), acl.Allow(acl.Read).Inherited()}
	t.Must(vfs.SetXattr(n, acl.MacName, acl.Mac(two...)))
	wantACL(t, "another one", "f", two...)
	many := slices.Repeat([]acl.Entry{acl.Allow(acl.Read), acl.Allow(acl.Delete)}, 64)
	if t.Try("128 entries", vfs.SetXattr(n, acl.MacName, acl.Mac(many...))) {
		wantACL(t, "one of 128 entries", "f", many...)
	}
	if t.Try("an empty ACL", vfs.SetXattr(n, acl.MacName, acl.Mac())) {
		t.Logf("an empty ACL becomes %x", t.MacACL("f"))
	}
	t.Must(vfs.SetXattr(n, acl.MacName, acl.Mac(one...)))
	t.Must(vfs.RemoveXattr(n, acl.MacName))
	wantACL(t, "a removed one", "f")
	t.Logf("removing it again: %v", vfs.RemoveXattr(n, acl.MacName))
}

func macACLAndMode(t *check.T) {
	t.WriteFile("f", 0o640, "")
	n := t.Node("f")
	t.MustOrSkip(vfs.SetXattr(n, acl.MacName, acl.Mac(acl.Allow(acl.Read))))
	check.Equal(t, "the mode", t.Lstat("f").Mode, 0o640)
	t.Must(vfs.Chmod(n, 0o604))
	check.Equal(t, "the mode", t.Lstat("f").Mode, 0o604)
	wantACL(t, "the ACL", "f", acl.Allow(acl.Read))
	t.Must(t.Dir.Rename("f", nil, "g", nil))
	wantACL(t, "the ACL of the renamed file", "g", acl.Allow(acl.Read))
}

// macInherits shows why psync checks the ACLs of new entries.
func macInherits(t *check.T) {
	t.SkipIfServerACLs()
	d := t.Mkdir("d", 0o700)
	given := acl.Allow(acl.Read).Inheritable()
	t.MustOrSkip(vfs.SetXattr(t.Node("d"), acl.MacName, acl.Mac(given)))
	d.WriteFile("f", 0o600, "")
	d.Mkdir("sub", 0o700)
	for name, want := range map[string][]byte{
		"f":   acl.Mac(acl.Allow(acl.Read).Inherited()),
		"sub": acl.Mac(given.Inherited()),
	} {
		got := d.MacACL(name)
		if got == nil {
			t.Fatalf("%s has inherited nothing", name)
		}
		if !bytes.Equal(got, want) {
			t.Logf("%s has inherited %x, not %x", name, got, want)
		}
		t.Must(vfs.RemoveXattr(d.Node(name), acl.MacName))
		wantACL(d, "a removed one", name)
	}
	t.Must(d.Dir.Rename("f", nil, "g", nil))
	wantACL(d, "that of a renamed file", "g")
	if t.Try("a link", vfs.Symlink(d.Dir, "g", "link")) {
		_, err := d.Node("link").Xattr(acl.MacName)
		t.Logf("that of a link in it: %v", err)
	}
}

// macDenies shows why ACLs are set after everything except flags.
func macDenies(t *check.T) {
	t.SkipIfServerACLs()
	t.WriteFile("f", 0o600, "")
	n := t.Node("f")
	t.MustOrSkip(vfs.SetXattr(n, acl.MacName, acl.Mac(acl.Deny(acl.Delete|acl.WriteAttr|acl.WriteXattr))))
	t.MustFail("renaming it", t.Dir.Rename("f", nil, "g", nil))
	t.MustFail("removing it", t.Dir.Remove("f", nil))
	t.MustFail("setting its times", vfs.Chtimes(n, check.Earlier, check.Earlier))
	t.MustFail("setting an attribute", vfs.SetXattr(n, t.XattrName("a"), nil))
	t.Logf("setting its mode: %v", vfs.Chmod(n, 0o640))
	t.Logf("setting its flags: %v", vfs.SetFlags(n, t.HarmlessFlag()))
	t.Must(vfs.SetXattr(n, acl.MacName, acl.Mac(acl.Deny(acl.Delete))))
	t.Must(vfs.RemoveXattr(n, acl.MacName))
	t.Must(t.Dir.Rename("f", nil, "g", nil))
}
