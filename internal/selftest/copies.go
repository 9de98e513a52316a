package selftest

import (
	"bytes"
	"strings"

	"psync/internal/report"
	"psync/internal/vfs"
)

func copyChecks() []check {
	return []check{
		{"copy: everything is kept, and a second run does nothing", 0, anyone, copiesAll},
		{"copy: a dry run tells what a run does", 0, anyone, copyForetold},
		{"copy: without holes, as clones where there are such", 0, anyone, copiesClones},
		{"copy: locked files and directories", 0, anyone, copiesLocked},
		{"copy: files that nobody may delete or change", mac, anyone, copiesDenying},
		{"copy: nothing is inherited that the source lacks", 0, anyone, copiesInherit},
		{"copy: into a directory that hands on what denies", mac, anyone, copiesIntoDenying},
		{"copy: a long resource fork", mac, anyone, copiesFork},
		{"copy: holes stay holes", 0, anyone, copiesHoles},
	}
}

// twice copies, looks at both sides, and copies again.
func (x *box) twice(src, dst *box) {
	x.well(x.copy(src, dst))
	x.sameTrees(src, dst)
	x.idle(x.copy(src, dst))
	x.sameTrees(src, dst)
}

func copiesAll(x *box) {
	x.twice(x.plant("src"), x.mkdir("dst", 0o700))
}

func copyForetold(x *box) {
	src, dst := x.plant("src"), x.mkdir("dst", 0o700)
	told, done := x.copy(src, dst, dryRun), x.copy(src, dst)
	x.must(told.err)
	x.well(done)
	for kind := report.Mkdir; kind < report.Skip; kind++ {
		if a, b := told.count(kind), done.count(kind); a != b {
			x.failf("it %s %d, and was to %d", kindWords[kind], b, a)
		}
	}
}

func copiesClones(x *box) {
	src, dst := x.plant("src"), x.mkdir("dst", 0o700)
	x.well(x.copy(src, dst, notSparse))
	x.sameTrees(src, dst)
	x.idle(x.copy(src, dst, notSparse))
}

func copiesLocked(x *box) {
	src, dst := x.mkdir("src", 0o700), x.mkdir("dst", 0o700)
	src.file("locked", 0o640, "contents")
	p := planter{src}
	p.try("another name", src.link("locked", "other"))
	d := src.mkdir("dir", 0o700)
	d.file("locked", 0o600, "deep")
	d.mkdir("sub", 0o700)
	d.lock("locked")
	d.lock("sub")
	src.must(src.dir.Chtimes("dir", long, long))
	src.lock("dir")
	src.must(src.dir.Chtimes("locked", long, long))
	src.lock("locked")
	x.twice(src, dst)
}

// copiesDenying has ACLs that would be in the way of setting anything after them.
func copiesDenying(x *box) {
	x.notServed()
	src, dst := x.mkdir("src", 0o700), x.mkdir("dst", 0o700)
	src.file("f", 0o600, "contents")
	src.file("replaced", 0o600, "new contents")
	dst.file("replaced", 0o600, "old")
	d := src.mkdir("d", 0o700)
	d.file("f", 0o600, "deep")
	for _, in := range []struct {
		box  *box
		name string
	}{{d, "f"}, {src, "d"}, {src, "f"}, {src, "replaced"}} {
		planter{in.box}.dress(in.name, 1, 0o750)
		n := in.box.node(in.name)
		x.able(n.SetXattr(securityName, macACL(ace{denies, mayDelete | mayWriteAttr | mayWriteXattr})))
	}
	x.twice(src, dst)
}

// copiesInherit copies into a directory whose ACL entries inherit, where the system
// has such that this package knows of. The destination itself loses it.
func copiesInherit(x *box) {
	x.notServed()
	src, dst := x.plant("src"), x.mkdir("dst", 0o700)
	name, acl := posixDefault, x.masked(7, 7)
	switch x.in() {
	case mac:
		name, acl = securityName, macACL(ace{permits | fileInherit | dirInherit, mayRead})
	case freebsd:
		x.skipf("no ACL of FreeBSD is at hand")
	case linux:
		x.enforced()
	}
	x.able(x.node("dst").SetXattr(name, acl))
	x.twice(src, dst)
}

// copiesIntoDenying makes entries that deny what is to be done to them.
func copiesIntoDenying(x *box) {
	x.notServed()
	src, dst := x.plant("src"), x.mkdir("dst", 0o700)
	denied := ace{denies | fileInherit | dirInherit, mayDelete | mayWriteAttr | mayWriteXattr}
	x.able(x.node("dst").SetXattr(securityName, macACL(denied)))
	x.twice(src, dst)
}

func copiesFork(x *box) {
	const piece = 1 << 20
	pieces := 65
	if x.Quick {
		pieces = 2
	}
	src, dst := x.mkdir("src", 0o700), x.mkdir("dst", 0o700)
	n := src.fork("f")
	for i := range pieces {
		_, err := n.WriteXattrAt(resourceFork, bytes.Repeat([]byte{byte(i + 1)}, piece), int64(i)*piece)
		x.able(err)
	}
	x.must(n.Chtimes(long, long))
	x.twice(src, dst)
	x.must(n.SetXattr(resourceFork, []byte("short")))
	x.must(n.Chtimes(later, later))
	x.twice(src, dst)
}

func copiesHoles(x *box) {
	src, dst := x.mkdir("src", 0o700), x.mkdir("dst", 0o700)
	const size = 4 << 20
	src.islands("f", []island{{1 << 20, 4096}}, size)
	allocated := func(in *box) int64 { return in.attr("f").Blocks * 512 }
	x.twice(src, dst)
	if a := allocated(src); a >= size {
		x.skipf("the volume has no holes: %d bytes are allocated", a)
	}
	x.notef("source %d, copy %d bytes allocated", allocated(src), allocated(dst))
	if a := allocated(dst); a > size/2 {
		x.failf("of %d bytes, %d are allocated, and %d in the source", size, a, allocated(src))
	}
	equal(x, "the contents", strings.Count(dst.read("f"), "d"), 4096)
}

// fork returns a file, which may have a fork.
func (x *box) fork(name string) vfs.Node {
	x.file(name, 0o600, "data")
	return x.node(name)
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
