package selftest

import (
	"errors"
	"time"
)

// Times that no clock will show while the test runs.
var (
	long  = time.Date(2001, time.September, 9, 1, 46, 41, 987_654_321, time.UTC)
	later = time.Date(2005, time.March, 18, 1, 58, 31, 123_456_789, time.UTC)
)

func timeChecks() []check {
	return []check{
		{"times before 1970 and after 2038 are kept", 0, anyone, farTimes},
		{"times stay when a file is closed and renamed", 0, anyone, timesSettle},
		{"times stay when a mode, an owner, an ACL or a flag is set", 0, anyone, timesStay},
		{"times stay when an extended attribute is set, unless the profile says otherwise", 0, anyone, timesAndXattrs},
		{"the time of a directory stays when files in it get attributes", 0, anyone, timesOfParents},
	}
}

// farTimes skips what is out of the range of a volume: psync cannot keep that.
func farTimes(x *box) {
	x.file("f", 0o600, "")
	lost := ""
	for _, year := range []int{1902, 1960, 1979, 2037, 2039, 2107, 2200, 2400} {
		want := time.Date(year, time.July, 1, 12, 0, 0, 0, time.UTC)
		err := x.dir.Chtimes("f", want, want)
		if got := x.attr("f").Mtime; err != nil || !x.about(got, want) {
			x.notef("%d becomes %s (%v)", year, clock(got), err)
			lost += " " + clock(want)[:4]
		}
	}
	if lost != "" {
		x.skipf("this volume has no%s", lost)
	}
}

// timesSettle has psync's order: the time is set when the contents are there, by a
// descriptor. Where the contents may arrive as late as on closing, it is set after that.
func timesSettle(x *box) {
	f, err := x.dir.Create("f", 0o600)
	x.must(err)
	_, err = f.WriteAt([]byte("contents"), 0)
	x.must(err)
	timed := f.Chtimes(later, long)
	x.must(f.Close())
	if x.volume.Network || errors.Is(timed, errors.ErrUnsupported) {
		x.notef("set before closing (%v), it is %s", timed, clock(x.attr("f").Mtime))
		timed = x.dir.Chtimes("f", later, long)
	}
	x.must(timed)
	x.sameTime("the time of modification", x.attr("f").Mtime, long)
	x.must(x.dir.Rename("f", "g"))
	x.sameTime("that of the renamed file", x.attr("g").Mtime, long)
	x.sameTime("that of access", x.attr("g").Atime, later)
}

func timesStay(x *box) {
	x.file("f", 0o600, "")
	n := x.node("f")
	x.must(n.Chtimes(long, long))
	born := x.attr("f").Btime
	stays := func(what string, err error) {
		if x.noted(what, err) {
			a := x.attr("f")
			x.sameTime("the time of modification after "+what, a.Mtime, long)
			x.sameTime("the time of birth after "+what, a.Btime, born)
		}
	}
	stays("a change of mode", n.Chmod(0o640))
	stays("a change of owner", n.Chown(-1, x.User.GID))
	if name, acl := x.anACL(); name != "" {
		stays("a change of ACL", n.SetXattr(name, acl))
	}
	if flags, err := n.Flags(); x.noted("flags", err) {
		stays("a change of flags", n.SetFlags(flags|x.harmless()))
	}
}

// harmless returns a flag that is the owner's and locks nothing: that an entry need not be
// dumped, or on macOS, where FAT has no such flag, that it is hidden.
func (x *box) harmless() uint32 {
	switch x.in() {
	case linux:
		return 0x40
	case mac:
		return 0x8000
	}
	return 0x1
}

func timesAndXattrs(x *box) {
	x.file("f", 0o600, "")
	n := x.node("f")
	x.must(n.Chtimes(long, long))
	x.able(n.SetXattr(x.xattrName("a"), []byte("value")))
	after := x.attr("f").Mtime
	x.must(n.RemoveXattr(x.xattrName("a")))
	if x.Profile.XattrsTouch {
		x.notef("set and removed: %s, %s; it was %s", clock(after), clock(x.attr("f").Mtime), clock(long))
		return
	}
	x.sameTime("the time of modification", after, long)
	x.sameTime("that after removing", x.attr("f").Mtime, long)
}

// timesOfParents allows a directory to be finished before what is deeper.
func timesOfParents(x *box) {
	d := x.mkdir("d", 0o700)
	d.file("f", 0o600, "")
	d.mkdir("sub", 0o700)
	x.must(x.dir.Chtimes("d", long, long))
	d.must(d.dir.Chmod("f", 0o640))
	d.must(d.dir.Chtimes("f", long, long))
	d.within("sub").file("g", 0o600, "contents")
	d.must(d.dir.Chtimes("sub", long, long))
	if err := d.node("f").SetXattr(x.xattrName("a"), []byte("value")); err != nil && !errors.Is(err, errors.ErrUnsupported) {
		x.must(err)
	}
	if x.volume.AppleDouble {
		x.notef("with a companion, the time is %s", clock(x.attr("d").Mtime))
		return
	}
	x.sameTime("the time of modification", x.attr("d").Mtime, long)
}
