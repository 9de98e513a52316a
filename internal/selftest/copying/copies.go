package copying

import (
	"bytes"
	"strings"

	"psync/internal/report"
	"psync/internal/selftest/acl"
	"psync/internal/selftest/check"
	"psync/internal/selftest/tree"
	"psync/internal/vfs"
)

func copyChecks() []check.Check {
	return []check.Check{
		{Name: "copy: everything is kept, and a second run does nothing", Run: copiesAll},
		{Name: "copy: a dry run reports what a run does", Run: copyDryRun},
		{Name: "copy: without holes, as clones where there are such", Run: copiesClones},
		{Name: "copy: locked files and directories", Run: copiesLocked},
		{Name: "copy: files that no one may delete or change", On: check.Mac, Run: copiesDenying},
		{Name: "copy: nothing is inherited that the source lacks", Run: copiesInherit},
		{Name: "copy: into a directory that hands on what denies", On: check.Mac, Run: copiesIntoDenying},
		{Name: "copy: ACLs of a server are left alone, or kept if asked for", On: check.Mac, Run: copiesServedACLs},
		{Name: "copy: a long resource fork", On: check.Mac, Run: copiesFork},
		{Name: "copy: holes stay holes", Run: copiesHoles},
	}
}

func copiesAll(t *check.T) {
	copyTwice(tree.Plant(t, "src"), t.Mkdir("dst", 0o700))
}

func copyDryRun(t *check.T) {
	src, dst := tree.Plant(t, "src"), t.Mkdir("dst", 0o700)
	predicted, done := copyTree(src, dst, dryRun), copyTree(src, dst)
	t.Must(predicted.err)
	done.wantComplete()
	for kind := report.Mkdir; kind < report.Skip; kind++ {
		if a, b := predicted.count(kind), done.count(kind); a != b {
			t.Fatalf("it %s %d, and was to %d", kindWords[kind], b, a)
		}
	}
}

func copiesClones(t *check.T) {
	src, dst := tree.Plant(t, "src"), t.Mkdir("dst", 0o700)
	copyTree(src, dst, notSparse).wantComplete()
	tree.WantSame(src, dst)
	copyTree(src, dst, notSparse).wantIdle()
}

func copiesLocked(t *check.T) {
	src, dst := t.Mkdir("src", 0o700), t.Mkdir("dst", 0o700)
	src.WriteFile("locked", 0o640, "contents")
	src.TryOnce("another name", tree.Link(src, "locked", "other"))
	d := src.Mkdir("dir", 0o700)
	d.WriteFile("locked", 0o600, "deep")
	d.Mkdir("sub", 0o700)
	lock(d, "locked")
	lock(d, "sub")
	src.Must(vfs.Chtimes(vfs.In(src.Dir, "dir"), check.Earlier, check.Earlier))
	lock(src, "dir")
	src.Must(vfs.Chtimes(vfs.In(src.Dir, "locked"), check.Earlier, check.Earlier))
	lock(src, "locked")
	copyTwice(src, dst)
}

// copiesDenying copies ACLs that would prevent setting other attributes after them.
func copiesDenying(t *check.T) {
	t.SkipIfServerACLs()
	src, dst := t.Mkdir("src", 0o700), t.Mkdir("dst", 0o700)
	src.WriteFile("f", 0o600, "contents")
	src.WriteFile("replaced", 0o600, "new contents")
	dst.WriteFile("replaced", 0o600, "old")
	d := src.Mkdir("d", 0o700)
	d.WriteFile("f", 0o600, "deep")
	for _, in := range []struct {
		dir  *check.T
		name string
	}{{d, "f"}, {src, "d"}, {src, "f"}, {src, "replaced"}} {
		tree.SetMetadata(in.dir, in.name, 1, 0o750)
		n := in.dir.Node(in.name)
		t.MustOrSkip(vfs.SetXattr(n, acl.MacName, acl.Mac(acl.Deny(acl.Delete|acl.WriteAttr|acl.WriteXattr))))
	}
	copyTwice(src, dst)
}

// copiesInherit copies into a directory with inheritable ACL entries, on systems where this package knows how
// to make them. The destination itself loses its ACL.
func copiesInherit(t *check.T) {
	t.SkipIfServerACLs()
	src, dst := tree.Plant(t, "src"), t.Mkdir("dst", 0o700)
	name, value := acl.PosixDefault, acl.Masked(t.User.UID, 7, 7)
	switch t.System() {
	case check.Mac:
		name, value = acl.MacName, acl.Mac(acl.Allow(acl.Read).Inheritable())
	case check.FreeBSD:
		t.Skipf("no ACL of FreeBSD is at hand")
	case check.Linux:
		t.SkipUnlessPosixACLs()
	}
	t.MustOrSkip(vfs.SetXattr(t.Node("dst"), name, value))
	copyTwice(src, dst)
}

// copiesIntoDenying copies over entries whose ACLs deny the necessary changes.
func copiesIntoDenying(t *check.T) {
	t.SkipIfServerACLs()
	src, dst := tree.Plant(t, "src"), t.Mkdir("dst", 0o700)
	denied := acl.Deny(acl.Delete | acl.WriteAttr | acl.WriteXattr).Inheritable()
	t.MustOrSkip(vfs.SetXattr(t.Node("dst"), acl.MacName, acl.Mac(denied)))
	copyTwice(src, dst)
}

// copiesServedACLs shows why -a leaves ACLs of a server alone, and why psync checks that a removed ACL is
// gone.
func copiesServedACLs(t *check.T) {
	if !t.Volume.ServerACLs {
		t.Skipf("no server decides about ACLs")
	}
	src, dst := t.Mkdir("src", 0o700), t.Mkdir("dst", 0o700)
	src.WriteFile("f", 0o600, "")
	n := src.Node("f")
	t.Logf("a new file has the ACL %x", src.MacACL("f"))
	t.Logf("removing it: %v", vfs.RemoveXattr(n, acl.MacName))
	t.Logf("after that it is %x", src.MacACL("f"))
	t.MustOrSkip(vfs.SetXattr(n, acl.MacName, acl.Mac(acl.Allow(acl.Everything))))
	set := src.MacACL("f")
	t.Logf("one that permits everything becomes %x", set)
	copyTree(src, dst).wantComplete()
	copyTree(src, dst).wantIdle()
	t.Logf("-a leaves the copy the ACL %x", dst.MacACL("f"))
	t.Must(copyTree(src, dst, askingACLs).err)
	if got := dst.MacACL("f"); !bytes.Equal(got, set) {
		t.Fatalf("-A gives the copy the ACL %x, not %x", got, set)
	}
	again := copyTree(src, dst, askingACLs)
	t.Must(again.err)
	if len(again.events) > again.count(report.Unkept) {
		t.Fatalf("the second run with -A: %s", words(again.events))
	}
}

func copiesFork(t *check.T) {
	const piece = 1 << 20
	pieces := 65
	if t.Quick {
		pieces = 2
	}
	src, dst := t.Mkdir("src", 0o700), t.Mkdir("dst", 0o700)
	src.WriteFile("f", 0o600, "data")
	n := src.Node("f")
	for i := range pieces {
		t.MustOrSkip(vfs.WriteXattrAt(n, tree.ResourceFork, bytes.Repeat([]byte{byte(i + 1)}, piece), int64(i)*piece))
	}
	t.Must(vfs.Chtimes(n, check.Earlier, check.Earlier))
	copyTwice(src, dst)
	t.Must(vfs.SetXattr(n, tree.ResourceFork, []byte("short")))
	t.Must(vfs.Chtimes(n, check.Later, check.Later))
	copyTwice(src, dst)
}

func copiesHoles(t *check.T) {
	src, dst := t.Mkdir("src", 0o700), t.Mkdir("dst", 0o700)
	const size = 4 << 20
	src.WriteSparse("f", [][2]int64{{1 << 20, 4096}}, size)
	allocated := func(in *check.T) int64 { return in.Lstat("f").Blocks * 512 }
	copyTwice(src, dst)
	if a := allocated(src); a >= size {
		t.Skipf("the volume has no holes: %d bytes are allocated", a)
	}
	t.Logf("source %d, copy %d bytes allocated", allocated(src), allocated(dst))
	if a := allocated(dst); a > size/2 {
		t.Fatalf("of %d bytes, %d are allocated, and %d in the source", size, a, allocated(src))
	}
	check.Equal(t, "the contents", strings.Count(dst.ReadFile("f"), "d"), 4096)
}

// lock locks an entry, or skips the check. It uses a flag that the owner may set, if there is one.
func lock(t *check.T, name string) (unlock func()) {
	flag := t.Profile.OwnerFlags & t.Profile.LockFlags & 0x2
	if flag == 0 {
		flag = t.Profile.RootFlags & t.Profile.LockFlags & 0x10
	}
	n := t.Node(name)
	before, err := n.Flags()
	t.MustOrSkip(err)
	t.MustOrSkip(vfs.SetFlags(n, before|flag))
	if got, err := n.Flags(); err != nil || got != before|flag {
		t.Skipf("the volume keeps no such flag: %#x becomes %#x (%v)", before|flag, got, err)
	}
	return func() { t.Must(vfs.SetFlags(n, before)) }
}
