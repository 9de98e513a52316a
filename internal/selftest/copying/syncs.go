package copying

import (
	"slices"
	"time"

	"psync/internal/engine"
	"psync/internal/report"
	"psync/internal/selftest/acl"
	"psync/internal/selftest/check"
	"psync/internal/selftest/tree"
	"psync/internal/vfs"
)

func syncChecks() []check.Check {
	return []check.Check{
		{Name: "sync: files that changed, read-only ones too", Run: func(t *check.T) { syncsFiles(t) }},
		{Name: "sync: the same in place", Run: func(t *check.T) { syncsFiles(t, inPlace) }},
		{Name: "sync: attributes that changed are set, and nothing is copied", Run: syncsAttributes},
		{Name: "sync: attributes that went are removed", Run: syncsRemovals},
		{Name: "sync: attributes of entries that deny changing them", On: check.Mac, Run: syncsDenying},
		{Name: "sync: what is locked changes, and goes", Run: func(t *check.T) { syncsGuarded(t, lock) }},
		{Name: "sync: the same in place", Run: func(t *check.T) { syncsGuarded(t, lock, inPlace) }},
		{Name: "sync: what no one may delete changes, and goes", On: check.Mac, Run: func(t *check.T) { syncsGuarded(t, deny) }},
		{Name: "sync: entries that became something else", Run: syncsTypes},
		{Name: "sync: with --delete, what the source lacks goes", Run: syncsDeletes},
	}
}

// plantCopied makes a source and a copy of it.
func plantCopied(t *check.T) (src, dst *check.T) {
	src, dst = tree.Plant(t, "src"), t.Mkdir("dst", 0o700)
	copyTree(src, dst).wantComplete()
	return src, dst
}

// rewrite changes the contents of a file, and sets its modification time.
func rewrite(t *check.T, name, contents string, mtime time.Time) {
	old := t.Lstat(name)
	t.Must(t.Dir.Remove(name, nil))
	t.WriteFile(name, 0o600, contents)
	n := t.Node(name)
	_ = vfs.SetXattr(n, t.XattrName("b"), []byte("of the new one"))
	t.Must(vfs.Chmod(n, old.Mode))
	t.Must(vfs.Chtimes(n, check.Later, mtime))
}

func syncsFiles(t *check.T, changes ...func(*engine.Job)) {
	src, dst := plantCopied(t)
	for i, name := range []string{"empty", "file", "read-only", "program", "sparse", "attributes"} {
		rewrite(src, name, "changed", check.Later.Add(time.Duration(i)*time.Hour))
	}
	t.Must(vfs.Chmod(vfs.In(src.Dir, "sub"), 0o700))
	rewrite(src.Sub("sub"), "deep", "changed, too", check.Later)
	t.Must(vfs.Chmod(vfs.In(src.Dir, "sub"), 0o555))
	copyTree(src, dst, changes...).wantComplete()
	tree.WantSame(src, dst)
	copyTree(src, dst, changes...).wantIdle()
}

func syncsAttributes(t *check.T) {
	src, dst := plantCopied(t)
	for _, name := range []string{"file", "read-only", "sub", "link", "fifo"} {
		if !src.Exists(name) {
			continue
		}
		n, old := src.Node(name), src.Lstat(name)
		if name != "link" {
			t.Try("a mode", vfs.Chmod(n, old.Mode.Perm()|0o200))
		}
		t.Try("an attribute", vfs.SetXattr(n, t.XattrName("a"), []byte("changed")))
		t.Try("another one", vfs.SetXattr(n, t.XattrName("c"), []byte("new")))
		if name != "link" {
			t.Try("a mode", vfs.Chmod(n, old.Mode.Perm()&^0o222|0o011))
		}
		if in, value := t.SomeACL(); in != "" && name == "file" {
			t.Try("an ACL", vfs.SetXattr(n, in, value))
		}
		if t.Profile.SetsBtime {
			t.Try("a creation time", vfs.SetBtime(n, check.Earlier.AddDate(-3, 0, 0)))
		}
		// A change of the modification time would count as a change of contents.
		t.Try("times", vfs.Chtimes(n, check.Later, old.Mtime))
		if flags, err := n.Flags(); err == nil {
			t.Try("flags", vfs.SetFlags(n, flags&^t.HarmlessFlag()))
		}
	}
	r := copyTree(src, dst)
	r.wantComplete()
	tree.WantSame(src, dst)
	if n := r.count(report.Copy, report.Replace, report.Delete); n > 0 {
		t.Fatalf("%s", words(r.events))
	}
	copyTree(src, dst).wantIdle()
}

func syncsRemovals(t *check.T) {
	src, dst := plantCopied(t)
	for _, name := range src.Names() {
		n, mtime := src.Node(name), src.Lstat(name).Mtime
		for _, attr := range []string{t.XattrName("a"), t.XattrName("long"), acl.MacName, acl.PosixAccess, acl.PosixDefault, "security.capability", tree.ResourceFork, tree.FinderInfo} {
			_ = vfs.RemoveXattr(n, attr)
		}
		t.Try("times", vfs.Chtimes(n, check.Later, mtime))
	}
	r := copyTree(src, dst)
	r.wantComplete()
	tree.WantSame(src, dst)
	copyTree(src, dst).wantIdle()
}

// syncsDenying changes entries whose ACLs deny changes: once the ACL stays, and once it is removed.
func syncsDenying(t *check.T) {
	t.SkipIfServerACLs()
	src, dst := t.Mkdir("src", 0o700), t.Mkdir("dst", 0o700)
	denying := acl.Mac(acl.Deny(acl.Delete | acl.WriteAttr | acl.WriteXattr))
	src.WriteFile("f", 0o600, "contents")
	src.Mkdir("d", 0o700)
	names := []string{"f", "d"}
	set := func(list []byte, value string, at time.Time) {
		for _, name := range names {
			n, mtime := src.Node(name), src.Lstat(name).Mtime
			_ = vfs.RemoveXattr(n, acl.MacName)
			t.Try("an attribute", vfs.SetXattr(n, t.XattrName("a"), []byte(value)))
			t.Try("times", vfs.Chtimes(n, at, mtime))
			t.Try("a creation time", vfs.SetBtime(n, at))
			if list != nil {
				t.MustOrSkip(vfs.SetXattr(n, acl.MacName, list))
			}
		}
	}
	set(denying, "first", check.Earlier)
	copyTwice(src, dst)
	set(denying, "second", check.Later)
	copyTwice(src, dst)
	set(nil, "third", check.Earlier)
	copyTwice(src, dst)
}

// deny sets an ACL that denies everyone to delete an entry, or the entries in it, as macOS does with the
// folders of a home directory. allow removes the ACL.
func deny(t *check.T, name string) (allow func()) {
	t.SkipIfServerACLs()
	n := t.Node(name)
	t.MustOrSkip(vfs.SetXattr(n, acl.MacName, acl.Mac(acl.Deny(acl.Delete|acl.DeleteChild))))
	return func() { t.Must(vfs.RemoveXattr(n, acl.MacName)) }
}

// syncsGuarded changes and removes destination entries that an earlier run has protected like those of the
// source.
func syncsGuarded(t *check.T, guard func(in *check.T, name string) (lift func()), changes ...func(*engine.Job)) {
	src, dst := t.Mkdir("src", 0o700), t.Mkdir("dst", 0o700)
	d, gone := src.Mkdir("d", 0o700), src.Mkdir("gone", 0o700)
	var lifts []func()
	guardAll := func(in *check.T, names ...string) {
		for _, name := range names {
			if !t.Volume.DOSFlags || in.Lstat(name).Mode.IsRegular() {
				lifts = append(lifts, guard(in, name))
			}
		}
	}
	for _, in := range []*check.T{src, d, gone} {
		for _, name := range []string{"changes", "goes", "mode"} {
			in.WriteFile(name, 0o640, "old")
		}
		guardAll(in, "changes", "goes", "mode")
	}
	guardAll(src, "d", "gone")
	copyTree(src, dst, changes...).wantComplete()
	for _, lift := range slices.Backward(lifts) {
		lift()
	}
	lifts = nil
	for _, in := range []*check.T{src, d} {
		t.Must(in.Dir.Remove("changes", nil))
		in.WriteFile("changes", 0o640, "new contents")
		t.Must(in.Dir.Remove("goes", nil))
		t.Must(vfs.Chmod(vfs.In(in.Dir, "mode"), 0o600))
		in.WriteFile("new", 0o600, "")
		guardAll(in, "changes", "mode", "new")
	}
	for _, name := range gone.Names() {
		t.Must(gone.Dir.Remove(name, nil))
	}
	t.Must(src.Dir.Rmdir("gone"))
	guardAll(src, "d")
	changes = append(changes, deleting)
	copyTree(src, dst, changes...).wantComplete()
	tree.WantSame(src, dst)
	copyTree(src, dst, changes...).wantIdle()
}

func syncsTypes(t *check.T) {
	src, dst := plantCopied(t)
	t.Must(src.Dir.Remove("file", nil))
	t.Must(vfs.Mkdir(src.Dir, "file", 0o750))
	t.Must(src.Dir.Remove("read-only", nil))
	t.Try("a link", vfs.Symlink(src.Dir, "elsewhere", "read-only"))
	if src.Exists("link") {
		t.Must(src.Dir.Remove("link", nil))
		src.WriteFile("link", 0o640, "no link any more")
	}
	copyTree(src, dst, deleting).wantComplete()
	tree.WantSame(src, dst)
	copyTree(src, dst, deleting).wantIdle()
}

func syncsDeletes(t *check.T) {
	src, dst := plantCopied(t)
	extra := dst.Mkdir("extra", 0o700)
	extra.WriteFile("read-only", 0o444, "")
	extra.Mkdir("closed", 0o700).WriteFile("f", 0o600, "")
	t.Must(vfs.Chmod(vfs.In(extra.Dir, "closed"), 0o500))
	dst.WriteFile("extra-file", 0o444, "")
	copyTree(src, dst, deleting).wantComplete()
	tree.WantSame(src, dst)
	copyTree(src, dst, deleting).wantIdle()
}
