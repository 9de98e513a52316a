package selftest

import (
	"psync/internal/engine"
	"psync/internal/report"
)

func refusalChecks() []check {
	return []check{
		{"a locked file is told where flags are not kept, and the others are copied", 0, anyone, lockedIsTold},
		{"a locked file that the source lacks is told where flags are not kept, and the others are deleted", 0, anyone, lockedStays},
		{"a file that an ACL keeps from being deleted is told where ACLs are not kept, and the others are deleted", mac, ordinary, deniedStays},
		{"an owner that is not the user's to give is told, and the entry is there", 0, ordinary, ownerIsTold},
	}
}

// pair is a source and a destination with a file each of three names.
func (x *box) pair() (src, dst *box) {
	src, dst = x.mkdir("src", 0o700), x.mkdir("dst", 0o700)
	for _, name := range []string{"a", "b", "c"} {
		src.file(name, 0o640, "new contents")
		dst.file(name, 0o640, "old")
	}
	return src, dst
}

// onlyLost wants a copy to have told about one entry, and to have gone on.
func (x *box) onlyLost(r *ran, name string) {
	x.must(r.err)
	lost := r.lost()
	if len(lost) == 0 || r.about(name, report.Fail) != len(lost) {
		x.failf("instead of a failure of %s: %s", name, words(lost))
	}
	x.notef("%s", words(lost))
}

func lockedIsTold(x *box) {
	src, dst := x.pair()
	unlock := dst.lock("b")
	x.onlyLost(x.copy(src, dst, withoutFlags), "b")
	equal(x, "a locked file", dst.read("b"), "old")
	equal(x, "a file before it", dst.read("a"), "new contents")
	equal(x, "a file behind it", dst.read("c"), "new contents")
	unlock()
	x.well(x.copy(src, dst))
	x.sameTrees(src, dst)
}

func lockedStays(x *box) {
	src, dst := x.pair()
	x.must(src.dir.Remove("b"))
	unlock := dst.lock("b")
	x.onlyLost(x.copy(src, dst, deleting, withoutFlags), "b")
	equal(x, "a locked file", dst.read("b"), "old")
	unlock()
	x.well(x.copy(src, dst, deleting))
	x.sameTrees(src, dst)
}

func deniedStays(x *box) {
	x.notServed()
	if x.volume.AppleDouble {
		x.skipf("there is no ACL where there are companions")
	}
	src, dst := x.mkdir("src", 0o700), x.mkdir("dst", 0o700)
	src.file("f", 0o600, "")
	d := dst.mkdir("gone", 0o700)
	d.file("denied", 0o600, "")
	d.file("f", 0o600, "")
	dst.file("denied", 0o600, "")
	for _, in := range []*box{d, dst} {
		x.able(in.node("denied").SetXattr(securityName, macACL(ace{denies, mayDelete})))
	}
	r := x.copy(src, dst, deleting, withoutACLs)
	x.must(r.err)
	if r.about("denied", report.Fail) == 0 {
		x.failf("instead of failures: %s", words(r.lost()))
	}
	x.notef("%s", words(r.lost()))
	if !dst.exists("denied") || d.exists("f") || !dst.exists("f") {
		x.failf("left are %s and %s", listed(dst.names()), listed(d.names()))
	}
	for _, in := range []*box{d, dst} {
		x.must(in.node("denied").RemoveXattr(securityName))
	}
	x.well(x.copy(src, dst, deleting))
	x.sameTrees(src, dst)
}

// ownerIsTold wants what nobody but root may give to be a matter of the attribute alone.
func ownerIsTold(x *box) {
	src, dst := x.mkdir("src", 0o700), x.mkdir("dst", 0o700)
	src.file("f", 0o600, "contents")
	r := x.copy(src, dst, func(j *engine.Job) {
		j.Keep.Chown.SetUID, j.Keep.Chown.UID = true, uint32(x.User.UID)+1
	})
	x.must(r.err)
	equal(x, "the contents", dst.read("f"), "contents")
	if r.about("f", report.Unkept) != 1 || r.count(report.Fail) > 0 {
		x.failf("it tells: %s", words(r.lost()))
	}
}
