package facts

import (
	"time"

	"psync/internal/selftest/check"
	"psync/internal/vfs"
)

func creationTimeChecks() []check.Check {
	return []check.Check{
		{Name: "creation times can be set, also later than the modification time", On: check.Mac, Run: creationTimesOfMac},
		{Name: "creation times can be set to earlier ones", On: check.FreeBSD, Run: creationTimesOfFreeBSD},
		{Name: "an earlier modification time makes the creation time earlier", On: check.Mac | check.FreeBSD, Run: creationTimesFall},
		{Name: "creation times stay when a file is renamed and gets other times", On: check.Mac | check.FreeBSD, Run: creationTimesStay},
	}
}

// requireBirth skips the check if the volume reports no creation time of an entry.
func requireBirth(t *check.T, name string) {
	if t.Lstat(name).Btime.IsZero() {
		t.Skipf("the volume reports no creation times")
	}
}

// each calls f for a file, a directory and, if there are any, a symbolic link.
func each(t *check.T, f func(name string, n vfs.Node)) {
	t.WriteFile("file", 0o600, "contents")
	t.Mkdir("dir", 0o700)
	f("file", t.Node("file"))
	f("dir", t.Node("dir"))
	if t.Try("a link", vfs.Symlink(t.Dir, "file", "link")) {
		f("link", t.Node("link"))
	}
}

// creationTimesOfMac uses psync's order: first the modification time, then the creation time.
func creationTimesOfMac(t *check.T) {
	each(t, func(name string, n vfs.Node) {
		requireBirth(t, name)
		t.Must(vfs.Chtimes(n, check.Earlier, check.Earlier))
		for _, want := range []time.Time{check.Later, check.Earlier, check.Earlier.AddDate(-5, 0, 0)} {
			t.MustOrSkip(vfs.SetBtime(n, want))
			t.SameTime("the creation time of "+name, t.Lstat(name).Btime, want)
			t.SameTime("the modification of "+name, t.Lstat(name).Mtime, check.Earlier)
		}
	})
}

// creationTimesOfFreeBSD uses psync's order: first the creation time, then the modification time.
func creationTimesOfFreeBSD(t *check.T) {
	each(t, func(name string, n vfs.Node) {
		requireBirth(t, name)
		t.MustOrSkip(vfs.SetBtime(n, check.Earlier))
		t.Must(vfs.Chtimes(n, check.Later, check.Later))
		t.SameTime("the creation time of "+name, t.Lstat(name).Btime, check.Earlier)
		t.SameTime("the modification of "+name, t.Lstat(name).Mtime, check.Later)
		t.Try("a later creation time", vfs.SetBtime(n, check.Later.AddDate(1, 0, 0)))
		t.Logf("a creation time later than the modification time becomes %s", check.Clock(t.Lstat(name).Btime))
	})
}

// creationTimesFall checks a rule that psync relies on for FreeBSD. On macOS, psync sets the creation time again in
// any case.
func creationTimesFall(t *check.T) {
	each(t, func(name string, n vfs.Node) {
		requireBirth(t, name)
		t.Must(vfs.Chtimes(n, check.Earlier, check.Earlier))
		got := t.Lstat(name).Btime
		t.Logf("with a modification of %s, %s was born at %s", check.Clock(check.Earlier), name, check.Clock(got))
		if t.Profile.BtimeFalls {
			t.SameTime("the creation time of "+name, got, check.Earlier)
		}
	})
}

func creationTimesStay(t *check.T) {
	t.WriteFile("f", 0o600, "contents")
	requireBirth(t, "f")
	n := t.Node("f")
	t.MustOrSkip(vfs.SetBtime(n, check.Earlier))
	t.Must(vfs.Chtimes(n, check.Later, check.Later))
	t.Must(t.Dir.Rename("f", nil, "g", nil))
	t.SameTime("the creation time", t.Lstat("g").Btime, check.Earlier)
	t.WriteFile("other", 0o600, "")
	t.Must(t.Dir.Rename("g", nil, "other", nil))
	t.SameTime("the creation time of what replaced another", t.Lstat("other").Btime, check.Earlier)
}
