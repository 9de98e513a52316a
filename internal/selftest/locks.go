package selftest

import (
	"errors"

	"psync/internal/vfs"
)

func lockChecks() []check {
	return []check{
		{"a locked file cannot be renamed, removed, written or linked to", 0, anyone, locks},
		{"a locked directory takes no entries", 0, anyone, locksDir},
		{"a file can be locked when it has its name, and unlocked", 0, anyone, locksLate},
	}
}

// lock locks an entry, or skips the check. The flag is one of the owner, where owners
// have such.
func (x *box) lock(name string) (unlock func()) {
	flag := x.Profile.OwnerFlags & x.Profile.LockFlags & 0x2
	if flag == 0 {
		flag = x.Profile.RootFlags & x.Profile.LockFlags & 0x10
	}
	n := x.node(name)
	before, err := n.Flags()
	x.able(err)
	x.able(n.SetFlags(before | flag))
	if got, err := n.Flags(); err != nil || got != before|flag {
		x.skipf("the volume keeps no such flag: %#x becomes %#x (%v)", before|flag, got, err)
	}
	return func() { x.must(n.SetFlags(before)) }
}

func locks(x *box) {
	x.file("f", 0o600, "contents")
	x.file("g", 0o600, "")
	n := x.node("f")
	unlock := x.lock("f")
	x.refused("renaming it", x.dir.Rename("f", "h"))
	x.refused("replacing it", x.dir.Rename("g", "f"))
	x.refused("removing it", x.dir.Remove("f"))
	if w, ok := x.dir.(vfs.Rewriter); ok {
		f, err := w.Rewrite("f")
		if err == nil {
			_, err = f.WriteAt([]byte("C"), 0)
			err = errors.Join(err, f.Close())
		}
		x.refused("writing to it", err)
	}
	x.refused("linking to it", x.link("f", "other"))
	x.refused("setting its times", n.Chtimes(long, long))
	x.refused("setting its mode", n.Chmod(0o640))
	x.refused("setting an attribute", n.SetXattr(x.xattrName("a"), nil))
	if name, acl := x.anACL(); name != "" {
		x.refused("setting its ACL", n.SetXattr(name, acl))
	}
	unlock()
	equal(x, "the contents", x.read("f"), "contents")
	x.must(x.dir.Rename("f", "h"))
	x.must(x.dir.Remove("h"))
}

func locksDir(x *box) {
	d := x.mkdir("d", 0o700)
	d.file("f", 0o600, "")
	unlock := x.lock("d")
	f, err := d.dir.Create("g", 0o600)
	if err == nil {
		x.must(f.Close())
	}
	x.refused("making a file in it", err)
	x.refused("removing a file in it", d.dir.Remove("f"))
	x.must(d.dir.Chtimes("f", long, long))
	unlock()
	x.must(d.dir.Remove("f"))
}

// locksLate has psync's order: the name first, the lock last, by whatever way is
// open to the file.
func locksLate(x *box) {
	x.file("temporary", 0o600, "contents")
	n := x.node("temporary")
	before, err := n.Flags()
	x.able(err)
	x.must(x.dir.Rename("temporary", "f"))
	unlock := x.lock("f")
	now, err := x.node("f").Flags()
	x.must(err)
	if now == before {
		x.failf("the flags are %#x", now)
	}
	unlock()
	now, err = x.node("f").Flags()
	x.must(err)
	equal(x, "what is left of them", now, before)
}
