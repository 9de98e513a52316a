package facts

import (
	"errors"
	"time"

	"psync/internal/selftest/check"
	"psync/internal/vfs"
)

func timeChecks() []check.Check {
	return []check.Check{
		{Name: "times before 1970 and after 2038 are kept", Run: farTimes},
		{Name: "times stay when a file is closed and renamed", Run: timesStayAfterClose},
		{Name: "times stay when a mode, an owner, an ACL or a flag is set", Run: timesStay},
		{Name: "times stay when an extended attribute is set, unless the profile says otherwise", Run: timesAndXattrs},
		{Name: "the time of a directory stays when files in it get attributes", Run: timesOfParents},
	}
}

// farTimes skips times out of the range of a volume: psync cannot keep them.
func farTimes(t *check.T) {
	t.WriteFile("f", 0o600, "")
	lost := ""
	for _, year := range []int{1902, 1960, 1979, 2037, 2039, 2107, 2200, 2400} {
		want := time.Date(year, time.July, 1, 12, 0, 0, 0, time.UTC)
		err := vfs.Chtimes(vfs.In(t.Dir, "f"), want, want)
		if got := t.Lstat("f").Mtime; err != nil || !t.TimesAgree(got, want) {
			t.Logf("%d becomes %s (%v)", year, check.Clock(got), err)
			lost += " " + check.Clock(want)[:4]
		}
	}
	if lost != "" {
		t.Skipf("this volume has no%s", lost)
	}
}

// timesStayAfterClose uses psync's order: the time is set through a descriptor after the contents are
// written, or after closing if contents may only be written then.
func timesStayAfterClose(t *check.T) {
	f, err := t.Dir.OpenFile("f", vfs.Create, 0o600)
	t.Must(err)
	_, err = f.WriteAt([]byte("contents"), 0)
	t.Must(err)
	timed := vfs.Chtimes(f, check.Later, check.Earlier)
	t.Must(f.Close())
	if t.Volume.Network || errors.Is(timed, errors.ErrUnsupported) {
		t.Logf("set before closing (%v), it is %s", timed, check.Clock(t.Lstat("f").Mtime))
		timed = vfs.Chtimes(vfs.In(t.Dir, "f"), check.Later, check.Earlier)
	}
	t.Must(timed)
	t.SameTime("the modification time", t.Lstat("f").Mtime, check.Earlier)
	t.Must(t.Dir.Rename("f", nil, "g", nil))
	t.SameTime("that of the renamed file", t.Lstat("g").Mtime, check.Earlier)
	t.SameTime("that of access", t.Lstat("g").Atime, check.Later)
}

func timesStay(t *check.T) {
	t.WriteFile("f", 0o600, "")
	n := t.Node("f")
	t.Must(vfs.Chtimes(n, check.Earlier, check.Earlier))
	born := t.Lstat("f").Btime
	stays := func(what string, err error) {
		if t.Try(what, err) {
			a := t.Lstat("f")
			t.SameTime("the modification time after "+what, a.Mtime, check.Earlier)
			t.SameTime("the creation time after "+what, a.Btime, born)
		}
	}
	stays("a change of mode", vfs.Chmod(n, 0o640))
	stays("a change of owner", vfs.Chown(n, -1, t.User.GID))
	if name, acl := t.SomeACL(); name != "" {
		stays("a change of ACL", vfs.SetXattr(n, name, acl))
	}
	if flags, err := n.Flags(); t.Try("flags", err) {
		stays("a change of flags", vfs.SetFlags(n, flags|t.HarmlessFlag()))
	}
}

func timesAndXattrs(t *check.T) {
	t.WriteFile("f", 0o600, "")
	n := t.Node("f")
	t.Must(vfs.Chtimes(n, check.Earlier, check.Earlier))
	t.MustOrSkip(vfs.SetXattr(n, t.XattrName("a"), []byte("value")))
	after := t.Lstat("f").Mtime
	t.Must(vfs.RemoveXattr(n, t.XattrName("a")))
	if t.Profile.XattrsTouch {
		t.Logf("set and removed: %s, %s; it was %s", check.Clock(after), check.Clock(t.Lstat("f").Mtime), check.Clock(check.Earlier))
		return
	}
	t.SameTime("the modification time", after, check.Earlier)
	t.SameTime("that after removing", t.Lstat("f").Mtime, check.Earlier)
}

// timesOfParents shows that a directory may be finished before deeper ones.
func timesOfParents(t *check.T) {
	d := t.Mkdir("d", 0o700)
	d.WriteFile("f", 0o600, "")
	d.Mkdir("sub", 0o700)
	t.Must(vfs.Chtimes(vfs.In(t.Dir, "d"), check.Earlier, check.Earlier))
	d.Must(vfs.Chmod(vfs.In(d.Dir, "f"), 0o640))
	d.Must(vfs.Chtimes(vfs.In(d.Dir, "f"), check.Earlier, check.Earlier))
	d.Sub("sub").WriteFile("g", 0o600, "contents")
	d.Must(vfs.Chtimes(vfs.In(d.Dir, "sub"), check.Earlier, check.Earlier))
	if err := vfs.SetXattr(d.Node("f"), t.XattrName("a"), []byte("value")); err != nil && !errors.Is(err, errors.ErrUnsupported) {
		t.Must(err)
	}
	if t.Volume.AppleDouble {
		t.Logf("with an AppleDouble file, the time is %s", check.Clock(t.Lstat("d").Mtime))
		return
	}
	t.SameTime("the modification time", t.Lstat("d").Mtime, check.Earlier)
}
