package selftest

import (
	"bytes"
	"errors"
	"io/fs"
	"slices"
	"strings"
	"time"

	"psync/internal/vfs"
)

// A planter makes the entries of a source, with as much metadata as the volume takes.
// What it does not take is noted once.
type planter struct{ *box }

// try reports whether something is there now.
func (p planter) try(what string, err error) bool {
	if err != nil && !p.lacked[what] {
		p.lacked[what] = true
		p.notef("the volume lacks %s: %v", what, reason(err))
	}
	return err == nil
}

// dress gives an entry all that entries of its type may have, but for locks. Each gets
// times of its own, by its number.
func (p planter) dress(name string, number int, mode fs.FileMode) {
	n := p.node(name)
	mtime := long.Add(time.Duration(number) * 1000 * time.Second)
	p.try("attributes of "+name, n.SetXattr(p.xattrName("a"), []byte("value of "+name)))
	if p.User.Privileged() {
		p.try("the owner of "+name, n.Chown(1000+number, 2000+number))
	}
	if p.attr(name).Mode.Type() != fs.ModeSymlink {
		p.try("the mode of "+name, n.Chmod(mode))
	}
	p.try("times of "+name, n.Chtimes(later, mtime))
	if p.Profile.SetsBtime {
		born := mtime.Add(-time.Hour)
		if p.in() == mac && number%2 == 0 {
			born = mtime.Add(time.Hour) // as of files that were copied there by something else
		}
		p.try("birth of "+name, n.SetBtime(born))
	}
	if flags, err := n.Flags(); err == nil {
		p.try("flags of "+name, n.SetFlags(flags|p.harmless()))
	}
}

// plant makes a source of everything, and returns it.
func (x *box) plant(name string) *box {
	src := x.mkdir(name, 0o700)
	p := planter{src}
	p.files()
	p.others()
	sub := src.mkdir("sub", 0o700)
	sub.file("deep", 0o600, "deep")
	sub.mkdir("empty", 0o700)
	planter{sub}.dress("deep", 20, 0o444)
	planter{sub}.dress("empty", 21, 0o555|fs.ModeSticky)
	p.dress("sub", 22, 0o555)
	if acl, value := x.anACL(); acl != "" {
		if x.in() == linux {
			p.try("a default ACL", p.node("sub").SetXattr(posixDefault, x.masked(6, 5)))
			value = x.masked(5, 4)
		}
		p.try("an ACL of a directory", p.node("sub").SetXattr(acl, value))
		src.must(p.node("sub").Chtimes(later, long))
	}
	planter{x}.dress(name, 23, 0o750)
	return src
}

func (p planter) files() {
	p.file("empty", 0o600, "")
	p.dress("empty", 1, 0o644)
	p.file("file", 0o600, "contents")
	p.dress("file", 2, 0o640)
	p.file("read-only", 0o600, strings.Repeat("contents ", 10_000))
	p.dress("read-only", 3, 0o444)
	p.file("program", 0o600, "#!/bin/sh\n")
	p.dress("program", 4, 0o711|fs.ModeSetuid|fs.ModeSetgid)
	p.file("caf\u00e9", 0o600, "composed")
	p.dress("caf\u00e9", 5, 0o600)
	f, err := p.dir.Create("sparse", 0o600)
	p.must(err)
	_, err = f.WriteAt([]byte("data"), 700<<10)
	p.must(err)
	p.must(f.Truncate(1 << 20))
	p.must(f.Close())
	p.dress("sparse", 6, 0o600)
	if name, acl := p.anACL(); name != "" {
		p.file("acl", 0o600, "guarded")
		p.dress("acl", 7, 0o640)
		p.try("an ACL", p.node("acl").SetXattr(name, acl))
	}
	p.attributes()
	p.file("old", 0o600, "old")
	p.must(p.dir.Chtimes("old", long, time.Date(1985, 1, 1, 0, 0, 0, 0, time.UTC)))
}

// attributes makes files with attributes that are not like others.
func (p planter) attributes() {
	p.file("attributes", 0o600, "")
	n := p.node("attributes")
	p.try("an empty attribute", n.SetXattr(p.xattrName("empty"), nil))
	p.try("a long attribute", n.SetXattr(p.xattrName("long"), bytes.Repeat([]byte("\x00v"), 1500)))
	switch {
	case p.in() == mac:
		p.try("a fork", n.SetXattr(resourceFork, bytes.Repeat([]byte("fork"), 1000)))
		p.try("FinderInfo", n.SetXattr(finderInfo, slices.Concat([]byte("TEXTttxt"), make([]byte, 24))))
		p.try("a quarantine", n.SetXattr("com.apple.quarantine", []byte("0081;65000000;psync;")))
	case p.in() == linux && p.User.Privileged():
		p.file("capable", 0o700, "")
		c := p.node("capable")
		p.try("a capability's owner", c.Chown(1, 1))
		p.try("a capability", c.SetXattr("security.capability", []byte("\x01\x00\x00\x02\x00\x20\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00")))
		p.try("a trusted attribute", c.SetXattr("trusted.psync", []byte("value")))
	}
	p.must(n.Chtimes(later, long))
}

func (p planter) others() {
	p.file("one-name", 0o600, "of two")
	p.dress("one-name", 10, 0o600)
	p.try("a hard link", p.link("one-name", "two-names"))
	if p.try("a symbolic link", p.dir.Symlink("file", "link")) {
		p.dress("link", 11, 0)
	}
	if p.try("a link that leads nowhere", p.dir.Symlink("/no/such\nfile", "nowhere")) {
		p.try("its times", p.dir.Chtimes("nowhere", long, later))
		p.try("a hard link to it", p.link("nowhere", "nowhere-too"))
	}
	m, ok := p.dir.(vfs.Mknoder)
	if !ok {
		return
	}
	if p.try("a fifo", m.Mknod("fifo", fs.ModeNamedPipe|0o600, 0)) {
		p.dress("fifo", 12, 0o620)
	}
	if p.try("a socket", m.Mknod("socket", fs.ModeSocket|0o600, 0)) {
		p.dress("socket", 13, 0o620)
	}
	if p.User.Privileged() && p.try("a device", m.Mknod("device", fs.ModeDevice|fs.ModeCharDevice|0o600, 0x103)) {
		p.dress("device", 14, 0o666)
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

const (
	finderInfo   = "com.apple.FinderInfo"
	resourceFork = "com.apple.ResourceFork"
)
