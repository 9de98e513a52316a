package copying

import (
	"psync/internal/engine"
	"psync/internal/report"
	"psync/internal/selftest/acl"
	"psync/internal/selftest/check"
	"psync/internal/selftest/tree"
	"psync/internal/vfs"
)

func refusalChecks() []check.Check {
	return []check.Check{
		{Name: "a locked file is reported where flags are not kept, and the others are copied", Run: lockedIsReported},
		{Name: "a locked file that the source lacks is reported where flags are not kept, and the others are deleted", Run: lockedStays},
		{Name: "a file that an ACL keeps from being deleted is reported where ACLs are not kept, and the others are deleted", On: check.Mac, By: check.Ordinary, Run: deniedStays},
		{Name: "an owner that is not the user's to give is reported, and the entry is there", By: check.Ordinary, Run: ownerIsReported},
	}
}

// pair returns a source and a destination with the same three files.
func pair(t *check.T) (src, dst *check.T) {
	src, dst = t.Mkdir("src", 0o700), t.Mkdir("dst", 0o700)
	for _, name := range []string{"a", "b", "c"} {
		src.WriteFile(name, 0o640, "new contents")
		dst.WriteFile(name, 0o640, "old")
	}
	return src, dst
}

func lockedIsReported(t *check.T) {
	src, dst := pair(t)
	unlock := lock(dst, "b")
	copyTree(src, dst, withoutFlags).wantOnlyLost("b")
	check.Equal(t, "a locked file", dst.ReadFile("b"), "old")
	check.Equal(t, "a file before it", dst.ReadFile("a"), "new contents")
	check.Equal(t, "a file behind it", dst.ReadFile("c"), "new contents")
	unlock()
	copyTree(src, dst).wantComplete()
	tree.WantSame(src, dst)
}

func lockedStays(t *check.T) {
	src, dst := pair(t)
	t.Must(src.Dir.Remove("b", nil))
	unlock := lock(dst, "b")
	copyTree(src, dst, deleting, withoutFlags).wantOnlyLost("b")
	check.Equal(t, "a locked file", dst.ReadFile("b"), "old")
	unlock()
	copyTree(src, dst, deleting).wantComplete()
	tree.WantSame(src, dst)
}

func deniedStays(t *check.T) {
	t.SkipIfServerACLs()
	if t.Volume.AppleDouble {
		t.Skipf("there are no ACLs where there are AppleDouble files")
	}
	src, dst := t.Mkdir("src", 0o700), t.Mkdir("dst", 0o700)
	src.WriteFile("f", 0o600, "")
	d := dst.Mkdir("gone", 0o700)
	d.WriteFile("denied", 0o600, "")
	d.WriteFile("f", 0o600, "")
	dst.WriteFile("denied", 0o600, "")
	for _, in := range []*check.T{d, dst} {
		t.MustOrSkip(vfs.SetXattr(in.Node("denied"), acl.MacName, acl.Mac(acl.Deny(acl.Delete))))
	}
	r := copyTree(src, dst, deleting, withoutACLs)
	t.Must(r.err)
	if r.about("denied", report.Fail) == 0 {
		t.Fatalf("instead of failures: %s", words(r.lost()))
	}
	t.Logf("%s", words(r.lost()))
	if !dst.Exists("denied") || d.Exists("f") || !dst.Exists("f") {
		t.Fatalf("left are %s and %s", check.Listed(dst.Names()), check.Listed(d.Names()))
	}
	for _, in := range []*check.T{d, dst} {
		t.Must(vfs.RemoveXattr(in.Node("denied"), acl.MacName))
	}
	copyTree(src, dst, deleting).wantComplete()
	tree.WantSame(src, dst)
}

// ownerIsReported checks that an owner that only root may set is reported as a failure of the attribute
// alone.
func ownerIsReported(t *check.T) {
	src, dst := t.Mkdir("src", 0o700), t.Mkdir("dst", 0o700)
	src.WriteFile("f", 0o600, "contents")
	r := copyTree(src, dst, func(j *engine.Job) {
		j.Keep.Chown.SetUID, j.Keep.Chown.UID = true, uint32(t.User.UID)+1
	})
	t.Must(r.err)
	check.Equal(t, "the contents", dst.ReadFile("f"), "contents")
	if r.about("f", report.Unkept) != 1 || r.count(report.Fail) > 0 {
		t.Fatalf("it reports: %s", words(r.lost()))
	}
}
