package selftest

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"psync/internal/metadata"
	"psync/internal/vfs"
)

func entryChecks() []check {
	return []check{
		{"symbolic links keep any target", 0, anyone, linkTargets},
		{"a file has two names", 0, anyone, twoNames},
		{"a symbolic link has two names, or is refused them", 0, anyone, twoNamesOfLink},
		{"a rename replaces a file at once", 0, anyone, renameReplaces},
		{"fifos can be made", 0, anyone, func(x *box) { x.special(fs.ModeNamedPipe, 0) }},
		{"sockets can be made", 0, anyone, func(x *box) { x.special(fs.ModeSocket, 0) }},
		{"devices can be made", 0, root, devices},
	}
}

func linkTargets(x *box) {
	for _, target := range []string{
		"x", "/absolute/./and//odd/../", " ", "new\nline", "caf\u00e9", "\xff", strings.Repeat("l", 1000), strings.Repeat("l/", 511),
	} {
		err := x.dir.Symlink(target, "link")
		if errors.Is(err, errors.ErrUnsupported) || errors.Is(err, fs.ErrPermission) {
			x.skipf("%v", err)
		}
		if !x.noted(fmt.Sprintf("a target of %d bytes, %.20q", len(target), target), err) {
			continue
		}
		got, err := x.dir.Readlink("link")
		x.must(err)
		if got != target {
			x.failf("the target %q became %q", target, got)
		}
		x.must(x.dir.Remove("link"))
	}
}

// link makes another name of an entry.
func (x *box) link(oldname, newname string) error {
	l, ok := x.dir.(vfs.Linker)
	if !ok {
		return errors.ErrUnsupported
	}
	return l.Link(x.dir, oldname, newname)
}

func twoNames(x *box) {
	x.file("f", 0o600, "contents")
	x.able(x.link("f", "g"))
	equal(x, "the identity of the other name", x.attr("g").ID(), x.attr("f").ID())
	equal(x, "the number of names", x.attr("f").Nlink, 2)
	x.must(x.dir.Remove("f"))
	equal(x, "what is left", x.read("g"), "contents")
	equal(x, "the number of names", x.attr("g").Nlink, 1)
}

// twoNamesOfLink matters because a link to what the symbolic link leads to would be
// another thing.
func twoNamesOfLink(x *box) {
	x.file("f", 0o600, "")
	x.able(x.dir.Symlink("f", "link"))
	if !x.noted("a hard link", x.link("link", "other")) {
		return
	}
	equal(x, "the identity of the other name", x.attr("other").ID(), x.attr("link").ID())
}

func renameReplaces(x *box) {
	x.file("old", 0o600, "old")
	x.file("new", 0o600, "new")
	old := x.open("old")
	x.must(x.dir.Rename("new", "old"))
	equal(x, "the contents", x.read("old"), "new")
	equal(x, "what is listed", listed(x.names()), listed([]string{"old"}))
	p := make([]byte, 3)
	_, err := old.ReadAt(p, 0)
	x.must(err)
	equal(x, "what a reader sees", string(p), "old")
}

func devices(x *box) {
	x.special(fs.ModeDevice|fs.ModeCharDevice, 0x103) // /dev/null of Linux
	x.special(fs.ModeDevice, 0x700)
}

// special makes an entry that is neither file, link nor directory.
func (x *box) special(mode fs.FileMode, dev uint64) {
	m, ok := x.dir.(vfs.Mknoder)
	if !ok {
		x.skipf("there is no way")
	}
	if err := m.Mknod("special", mode|0o640, dev); metadata.CannotKeep(err) {
		x.skipf("%v", err)
	} else {
		x.must(err)
	}
	a := x.attr("special")
	equal(x, "the type", a.Mode.Type(), mode)
	equal(x, "the device", a.Rdev, dev)
	equal(x, "the mode", a.Mode.Perm(), 0o640)
	x.must(x.dir.Chtimes("special", long, long))
	x.sameTime("the time of modification", x.attr("special").Mtime, long)
	x.must(x.dir.Remove("special"))
}
