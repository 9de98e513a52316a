package selftest

import (
	"time"

	"psync/internal/vfs"
)

func birthChecks() []check {
	return []check{
		{"times of birth can be set, also later than the modification", mac, anyone, birthsOfMac},
		{"times of birth can be set to earlier ones", freebsd, anyone, birthsOfFreeBSD},
		{"an earlier modification makes the birth earlier", mac | freebsd, anyone, birthsFall},
		{"times of birth stay when a file is renamed and gets other times", mac | freebsd, anyone, birthsStay},
	}
}

// born returns the time of birth of an entry, or skips the check.
func (x *box) born(name string) time.Time {
	b := x.attr(name).Btime
	if b.IsZero() {
		x.skipf("the volume tells no times of birth")
	}
	return b
}

// each calls f for a file, a directory and, if there are any, a symbolic link.
func (x *box) each(f func(name string, n vfs.Node)) {
	x.file("file", 0o600, "contents")
	x.mkdir("dir", 0o700)
	f("file", x.node("file"))
	f("dir", x.node("dir"))
	if x.noted("a link", x.dir.Symlink("file", "link")) {
		f("link", x.node("link"))
	}
}

// birthsOfMac has psync's order: the modification first, then the birth.
func birthsOfMac(x *box) {
	x.each(func(name string, n vfs.Node) {
		x.born(name)
		x.must(n.Chtimes(long, long))
		for _, want := range []time.Time{later, long, long.AddDate(-5, 0, 0)} {
			x.able(n.SetBtime(want))
			x.sameTime("the birth of "+name, x.attr(name).Btime, want)
			x.sameTime("the modification of "+name, x.attr(name).Mtime, long)
		}
	})
}

// birthsOfFreeBSD has psync's order: the birth first, then the modification.
func birthsOfFreeBSD(x *box) {
	x.each(func(name string, n vfs.Node) {
		x.born(name)
		x.able(n.SetBtime(long))
		x.must(n.Chtimes(later, later))
		x.sameTime("the birth of "+name, x.attr(name).Btime, long)
		x.sameTime("the modification of "+name, x.attr(name).Mtime, later)
		x.noted("a later birth", n.SetBtime(later.AddDate(1, 0, 0)))
		x.notef("a birth later than the modification becomes %s", clock(x.attr(name).Btime))
	})
}

// birthsFall is a rule that FreeBSD is relied on for. For macOS, the birth is
// set once more in any case.
func birthsFall(x *box) {
	x.each(func(name string, n vfs.Node) {
		x.born(name)
		x.must(n.Chtimes(long, long))
		got := x.attr(name).Btime
		x.notef("with a modification of %s, %s was born at %s", clock(long), name, clock(got))
		if x.Profile.BtimeFalls {
			x.sameTime("the birth of "+name, got, long)
		}
	})
}

func birthsStay(x *box) {
	x.file("f", 0o600, "contents")
	x.born("f")
	n := x.node("f")
	x.able(n.SetBtime(long))
	x.must(n.Chtimes(later, later))
	x.must(x.dir.Rename("f", "g"))
	x.sameTime("the birth", x.attr("g").Btime, long)
	x.file("other", 0o600, "")
	x.must(x.dir.Rename("g", "other"))
	x.sameTime("the birth of what replaced another", x.attr("other").Btime, long)
}
