package selftest

import (
	"errors"
	"io/fs"

	"psync/internal/vfs"
)

func modeChecks() []check {
	return []check{
		{"entries are made with the mode asked for", 0, anyone, modesOfNew},
		{"all bits of modes are kept", 0, anyone, allModes},
		{"symbolic links have modes where the profile says so", 0, anyone, modesOfLinks},
		{"set-id bits can be set again after a write and a change of owner", 0, anyone, setID},
		{"a read-only directory takes no entries", 0, ordinary, readOnlyDir},
	}
}

func modesOfNew(x *box) {
	x.hasModes()
	for _, perm := range []fs.FileMode{0o777, 0o666, 0o600, 0o444} {
		x.file("f", perm, "")
		equal(x, "the mode of a file", x.attr("f").Mode, perm)
		x.must(x.dir.Remove("f"))
		x.must(x.dir.Mkdir("d", perm))
		equal(x, "the mode of a directory", x.attr("d").Mode.Perm(), perm)
		x.must(x.dir.Rmdir("d"))
	}
}

// hasModes skips the check where modes are made up.
func (x *box) hasModes() {
	x.file("mode", 0o640, "")
	err := x.dir.Chmod("mode", 0o604)
	if got := x.attr("mode").Mode; err != nil || got != 0o604 {
		x.skipf("the volume keeps no modes: 604 becomes %o (%v)", got, err)
	}
	x.must(x.dir.Remove("mode"))
}

func allModes(x *box) {
	x.notServed()
	x.hasModes()
	x.file("f", 0o600, "")
	x.mkdir("d", 0o700)
	for _, special := range []fs.FileMode{0, fs.ModeSetuid, fs.ModeSetgid, fs.ModeSticky} {
		for _, perm := range []fs.FileMode{0o777, 0o070, 0o421, 0} {
			for _, name := range []string{"f", "d"} {
				err := x.dir.Chmod(name, special|perm)
				if err != nil && special != 0 && !x.User.Privileged() {
					x.notef("%v for %s: %v", special|perm, name, reason(err))
					continue // FreeBSD keeps sticky bits of files for root
				}
				x.must(err)
				equal(x, "the mode of "+name, x.attr(name).Mode&^fs.ModeType, special|perm)
			}
		}
	}
}

func modesOfLinks(x *box) {
	x.file("f", 0o600, "")
	x.able(x.dir.Symlink("f", "link"))
	err := x.node("link").Chmod(0o751)
	equal(x, "the mode of what it leads to", x.attr("f").Mode, 0o600)
	if !x.Profile.LinkModes {
		if !errors.Is(err, errors.ErrUnsupported) {
			x.failf("changing it: %v", err)
		}
		return
	}
	x.able(err)
	equal(x, "the mode", x.attr("link").Mode.Perm(), 0o751)
}

func setID(x *box) {
	x.notServed()
	const mode = fs.ModeSetuid | fs.ModeSetgid | 0o755
	x.hasModes()
	x.file("f", 0o700, "contents")
	x.must(x.dir.Chmod("f", mode))
	equal(x, "the mode", x.attr("f").Mode, mode)
	if w, ok := x.dir.(vfs.Rewriter); ok {
		f, err := w.Rewrite("f")
		x.must(err)
		_, err = f.WriteAt([]byte("C"), 0)
		x.must(errors.Join(err, f.Close()))
		x.notef("a write leaves %v", x.attr("f").Mode)
		x.must(x.dir.Chmod("f", mode))
	}
	if x.noted("a change of group", x.dir.Lchown("f", -1, x.User.GID)) {
		x.notef("a change of group leaves %v", x.attr("f").Mode)
	}
	if x.User.Privileged() && x.noted("a change of owner", x.dir.Lchown("f", 1, -1)) {
		x.notef("a change of owner leaves %v", x.attr("f").Mode)
	}
	x.must(x.dir.Chmod("f", mode))
	equal(x, "the mode", x.attr("f").Mode, mode)
}

func readOnlyDir(x *box) {
	x.notServed()
	x.hasModes()
	d := x.mkdir("d", 0o700)
	d.file("f", 0o600, "")
	x.must(x.dir.Chmod("d", 0o500))
	f, err := d.dir.Create("g", 0o600)
	if err == nil {
		x.must(f.Close())
	}
	x.refused("making a file", err)
	x.refused("removing a file", d.dir.Remove("f"))
	x.must(d.dir.Chmod(".", 0o700))
	x.must(d.dir.Remove("f"))
}
