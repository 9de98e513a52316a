package selftest

import (
	"slices"
	"time"

	"psync/internal/engine"
	"psync/internal/report"
)

func syncChecks() []check {
	return []check{
		{"sync: files that changed, read-only ones too", 0, anyone, func(x *box) { x.syncsFiles() }},
		{"sync: the same in place", 0, anyone, func(x *box) { x.syncsFiles(inPlace) }},
		{"sync: attributes that changed are set, and nothing is copied", 0, anyone, syncsAttributes},
		{"sync: attributes that went are removed", 0, anyone, syncsRemovals},
		{"sync: attributes of entries that deny changing them", mac, anyone, syncsDenying},
		{"sync: what is locked changes, and goes", 0, anyone, func(x *box) { x.syncsGuarded((*box).lock) }},
		{"sync: the same in place", 0, anyone, func(x *box) { x.syncsGuarded((*box).lock, inPlace) }},
		{"sync: what nobody may delete changes, and goes", mac, anyone, func(x *box) { x.syncsGuarded((*box).deny) }},
		{"sync: entries that became something else", 0, anyone, syncsTypes},
		{"sync: with --delete, what the source lacks goes", 0, anyone, syncsDeletes},
	}
}

// copied returns a source and a copy of it.
func (x *box) copied() (src, dst *box) {
	src, dst = x.plant("src"), x.mkdir("dst", 0o700)
	x.well(x.copy(src, dst))
	return src, dst
}

// rewrite changes the contents of a file, and leaves its time for others to set.
func (x *box) rewrite(name, contents string, mtime time.Time) {
	old := x.attr(name)
	x.must(x.dir.Remove(name))
	x.file(name, 0o600, contents)
	n := x.node(name)
	_ = n.SetXattr(x.xattrName("b"), []byte("of the new one"))
	x.must(n.Chmod(old.Mode))
	x.must(n.Chtimes(later, mtime))
}

func (x *box) syncsFiles(changes ...func(*engine.Job)) {
	src, dst := x.copied()
	for i, name := range []string{"empty", "file", "read-only", "program", "sparse", "attributes"} {
		src.rewrite(name, "changed", later.Add(time.Duration(i)*time.Hour))
	}
	x.must(src.dir.Chmod("sub", 0o700))
	src.within("sub").rewrite("deep", "changed, too", later)
	x.must(src.dir.Chmod("sub", 0o555))
	x.well(x.copy(src, dst, changes...))
	x.sameTrees(src, dst)
	x.idle(x.copy(src, dst, changes...))
}

func syncsAttributes(x *box) {
	src, dst := x.copied()
	for _, name := range []string{"file", "read-only", "sub", "link", "fifo"} {
		if !src.exists(name) {
			continue
		}
		n, old := src.node(name), src.attr(name)
		if name != "link" {
			x.noted("a mode", n.Chmod(old.Mode.Perm()|0o200))
		}
		x.noted("an attribute", n.SetXattr(x.xattrName("a"), []byte("changed")))
		x.noted("another one", n.SetXattr(x.xattrName("c"), []byte("new")))
		if name != "link" {
			x.noted("a mode", n.Chmod(old.Mode.Perm()&^0o222|0o011))
		}
		if acl, value := x.anACL(); acl != "" && name == "file" {
			x.noted("an ACL", n.SetXattr(acl, value))
		}
		if x.Profile.SetsBtime {
			x.noted("a birth", n.SetBtime(long.AddDate(-3, 0, 0)))
		}
		// A time of modification that changed would be one of contents.
		x.noted("times", n.Chtimes(later, old.Mtime))
		if flags, err := n.Flags(); err == nil {
			x.noted("flags", n.SetFlags(flags&^x.harmless()))
		}
	}
	r := x.copy(src, dst)
	x.well(r)
	x.sameTrees(src, dst)
	if n := r.count(report.Copy, report.Replace, report.Delete); n > 0 {
		x.failf("%s", words(r.events))
	}
	x.idle(x.copy(src, dst))
}

func syncsRemovals(x *box) {
	src, dst := x.copied()
	for _, name := range src.names() {
		n, mtime := src.node(name), src.attr(name).Mtime
		for _, attr := range []string{x.xattrName("a"), x.xattrName("long"), securityName, posixAccess, posixDefault, "security.capability", resourceFork, finderInfo} {
			_ = n.RemoveXattr(attr)
		}
		x.noted("times", n.Chtimes(later, mtime))
	}
	r := x.copy(src, dst)
	x.well(r)
	x.sameTrees(src, dst)
	x.idle(x.copy(src, dst))
}

// syncsDenying changes what an ACL denies to change: once it stays, and once it goes.
func syncsDenying(x *box) {
	x.notServed()
	src, dst := x.mkdir("src", 0o700), x.mkdir("dst", 0o700)
	acl := macACL(ace{denies, mayDelete | mayWriteAttr | mayWriteXattr})
	src.file("f", 0o600, "contents")
	src.mkdir("d", 0o700)
	names := []string{"f", "d"}
	set := func(acl []byte, value string, at time.Time) {
		for _, name := range names {
			n, mtime := src.node(name), src.attr(name).Mtime
			_ = n.RemoveXattr(securityName)
			x.noted("an attribute", n.SetXattr(x.xattrName("a"), []byte(value)))
			x.noted("times", n.Chtimes(at, mtime))
			x.noted("a birth", n.SetBtime(at))
			if acl != nil {
				x.able(n.SetXattr(securityName, acl))
			}
		}
	}
	set(acl, "first", long)
	x.twice(src, dst)
	set(acl, "second", later)
	x.twice(src, dst)
	set(nil, "third", long)
	x.twice(src, dst)
}

// deny has the ACL of an entry deny everybody to delete it, or what is in it, as macOS does with the folders
// of a home. allow takes it away.
func (x *box) deny(name string) (allow func()) {
	x.notServed()
	n := x.node(name)
	x.able(n.SetXattr(securityName, macACL(ace{denies, mayDelete | mayDeleteChild})))
	return func() { x.must(n.RemoveXattr(securityName)) }
}

// syncsGuarded changes, and removes, what an earlier run has guarded in the destination, as it is in the source.
func (x *box) syncsGuarded(guard func(in *box, name string) (lift func()), changes ...func(*engine.Job)) {
	src, dst := x.mkdir("src", 0o700), x.mkdir("dst", 0o700)
	d, gone := src.mkdir("d", 0o700), src.mkdir("gone", 0o700)
	var lifts []func()
	guardAll := func(in *box, names ...string) {
		for _, name := range names {
			if !x.volume.DOSFlags || in.attr(name).Mode.IsRegular() {
				lifts = append(lifts, guard(in, name))
			}
		}
	}
	for _, in := range []*box{src, d, gone} {
		for _, name := range []string{"changes", "goes", "mode"} {
			in.file(name, 0o640, "old")
		}
		guardAll(in, "changes", "goes", "mode")
	}
	guardAll(src, "d", "gone")
	x.well(x.copy(src, dst, changes...))
	for _, lift := range slices.Backward(lifts) {
		lift()
	}
	lifts = nil
	for _, in := range []*box{src, d} {
		x.must(in.dir.Remove("changes"))
		in.file("changes", 0o640, "new contents")
		x.must(in.dir.Remove("goes"))
		x.must(in.dir.Chmod("mode", 0o600))
		in.file("new", 0o600, "")
		guardAll(in, "changes", "mode", "new")
	}
	for _, name := range gone.names() {
		x.must(gone.dir.Remove(name))
	}
	x.must(src.dir.Rmdir("gone"))
	guardAll(src, "d")
	changes = append(changes, deleting)
	x.well(x.copy(src, dst, changes...))
	x.sameTrees(src, dst)
	x.idle(x.copy(src, dst, changes...))
}

func syncsTypes(x *box) {
	src, dst := x.copied()
	x.must(src.dir.Remove("file"))
	x.must(src.dir.Mkdir("file", 0o750))
	x.must(src.dir.Remove("read-only"))
	x.noted("a link", src.dir.Symlink("elsewhere", "read-only"))
	if src.exists("link") {
		x.must(src.dir.Remove("link"))
		src.file("link", 0o640, "no link any more")
	}
	x.well(x.copy(src, dst, deleting))
	x.sameTrees(src, dst)
	x.idle(x.copy(src, dst, deleting))
}

func syncsDeletes(x *box) {
	src, dst := x.copied()
	extra := dst.mkdir("extra", 0o700)
	extra.file("read-only", 0o444, "")
	extra.mkdir("closed", 0o700).file("f", 0o600, "")
	x.must(extra.dir.Chmod("closed", 0o500))
	dst.file("extra-file", 0o444, "")
	x.well(x.copy(src, dst, deleting))
	x.sameTrees(src, dst)
	x.idle(x.copy(src, dst, deleting))
}
