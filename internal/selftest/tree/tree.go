// Package tree makes trees with all metadata that a volume supports, and compares such trees.
package tree

import (
	"bytes"
	"io/fs"
	"slices"
	"strings"
	"time"

	"psync/internal/selftest/acl"
	"psync/internal/selftest/check"
	"psync/internal/vfs"
)

// Extended attributes that macOS knows.
const (
	FinderInfo   = "com.apple.FinderInfo"
	ResourceFork = "com.apple.ResourceFork"
)

// SetMetadata sets all metadata that an entry of its type may have, except for locks, as far as the volume
// supports it. The times depend on number.
func SetMetadata(t *check.T, name string, number int, mode fs.FileMode) {
	n := t.Node(name)
	mtime := check.Earlier.Add(time.Duration(number) * 1000 * time.Second)
	t.TryOnce("attributes of "+name, vfs.SetXattr(n, t.XattrName("a"), []byte("value of "+name)))
	if t.User.Privileged() {
		t.TryOnce("the owner of "+name, vfs.Chown(n, 1000+number, 2000+number))
	}
	if t.Lstat(name).Mode.Type() != fs.ModeSymlink {
		t.TryOnce("the mode of "+name, vfs.Chmod(n, mode))
	}
	t.TryOnce("times of "+name, vfs.Chtimes(n, check.Later, mtime))
	if t.Profile.SetsBtime {
		born := mtime.Add(-time.Hour)
		if t.System() == check.Mac && number%2 == 0 {
			born = mtime.Add(time.Hour) // as for files that another program has copied
		}
		t.TryOnce("creation time of "+name, vfs.SetBtime(n, born))
	}
	if flags, err := n.Flags(); err == nil {
		t.TryOnce("flags of "+name, vfs.SetFlags(n, flags|t.HarmlessFlag()))
	}
}

// Plant makes a source with all kinds of entries, and returns it.
func Plant(t *check.T, name string) *check.T {
	src := t.Mkdir(name, 0o700)
	makeFiles(src)
	makeOthers(src)
	sub := src.Mkdir("sub", 0o700)
	sub.WriteFile("deep", 0o600, "deep")
	sub.Mkdir("empty", 0o700)
	SetMetadata(sub, "deep", 20, 0o444)
	SetMetadata(sub, "empty", 21, 0o555|fs.ModeSticky)
	SetMetadata(src, "sub", 22, 0o555)
	if in, value := t.SomeACL(); in != "" {
		if t.System() == check.Linux {
			src.TryOnce("a default ACL", vfs.SetXattr(src.Node("sub"), acl.PosixDefault, acl.Masked(t.User.UID, 6, 5)))
			value = acl.Masked(t.User.UID, 5, 4)
		}
		src.TryOnce("an ACL of a directory", vfs.SetXattr(src.Node("sub"), in, value))
		src.Must(vfs.Chtimes(src.Node("sub"), check.Later, check.Earlier))
	}
	SetMetadata(t, name, 23, 0o750)
	return src
}

func makeFiles(t *check.T) {
	t.WriteFile("empty", 0o600, "")
	SetMetadata(t, "empty", 1, 0o644)
	t.WriteFile("file", 0o600, "contents")
	SetMetadata(t, "file", 2, 0o640)
	t.WriteFile("read-only", 0o600, strings.Repeat("contents ", 10_000))
	SetMetadata(t, "read-only", 3, 0o444)
	t.WriteFile("program", 0o600, "#!/bin/sh\n")
	SetMetadata(t, "program", 4, 0o711|fs.ModeSetuid|fs.ModeSetgid)
	t.WriteFile("caf\u00e9", 0o600, "composed")
	SetMetadata(t, "caf\u00e9", 5, 0o600)
	f, err := t.Dir.OpenFile("sparse", vfs.Create, 0o600)
	t.Must(err)
	_, err = f.WriteAt([]byte("data"), 700<<10)
	t.Must(err)
	t.Must(f.Truncate(1 << 20))
	t.Must(f.Close())
	SetMetadata(t, "sparse", 6, 0o600)
	if in, value := t.SomeACL(); in != "" {
		t.WriteFile("acl", 0o600, "guarded")
		SetMetadata(t, "acl", 7, 0o640)
		t.TryOnce("an ACL", vfs.SetXattr(t.Node("acl"), in, value))
	}
	makeXattrs(t)
	t.WriteFile("old", 0o600, "old")
	t.Must(vfs.Chtimes(vfs.In(t.Dir, "old"), check.Earlier, time.Date(1985, 1, 1, 0, 0, 0, 0, time.UTC)))
}

// makeXattrs makes files with unusual extended attributes.
func makeXattrs(t *check.T) {
	t.WriteFile("attributes", 0o600, "")
	n := t.Node("attributes")
	t.TryOnce("an empty attribute", vfs.SetXattr(n, t.XattrName("empty"), nil))
	t.TryOnce("a long attribute", vfs.SetXattr(n, t.XattrName("long"), bytes.Repeat([]byte("\x00v"), 1500)))
	switch {
	case t.System() == check.Mac:
		t.TryOnce("a fork", vfs.SetXattr(n, ResourceFork, bytes.Repeat([]byte("fork"), 1000)))
		t.TryOnce("FinderInfo", vfs.SetXattr(n, FinderInfo, slices.Concat([]byte("TEXTttxt"), make([]byte, 24))))
		t.TryOnce("a quarantine", vfs.SetXattr(n, "com.apple.quarantine", []byte("0081;65000000;psync;")))
	case t.System() == check.Linux && t.User.Privileged():
		t.WriteFile("capable", 0o700, "")
		c := t.Node("capable")
		t.TryOnce("a capability's owner", vfs.Chown(c, 1, 1))
		t.TryOnce("a capability", vfs.SetXattr(c, "security.capability", []byte("\x01\x00\x00\x02\x00\x20\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00")))
		t.TryOnce("a trusted attribute", vfs.SetXattr(c, "trusted.psync", []byte("value")))
	}
	t.Must(vfs.Chtimes(n, check.Later, check.Earlier))
}

func makeOthers(t *check.T) {
	t.WriteFile("one-name", 0o600, "of two")
	SetMetadata(t, "one-name", 10, 0o600)
	t.TryOnce("a hard link", Link(t, "one-name", "two-names"))
	if t.TryOnce("a symbolic link", vfs.Symlink(t.Dir, "file", "link")) {
		SetMetadata(t, "link", 11, 0)
	}
	if t.TryOnce("a link that leads nowhere", vfs.Symlink(t.Dir, "/no/such\nfile", "nowhere")) {
		t.TryOnce("its times", vfs.Chtimes(vfs.In(t.Dir, "nowhere"), check.Earlier, check.Later))
		t.TryOnce("a hard link to it", Link(t, "nowhere", "nowhere-too"))
	}
	if t.TryOnce("a fifo", vfs.Mknod(t.Dir, "fifo", fs.ModeNamedPipe|0o600, 0)) {
		SetMetadata(t, "fifo", 12, 0o620)
	}
	if t.TryOnce("a socket", vfs.Mknod(t.Dir, "socket", fs.ModeSocket|0o600, 0)) {
		SetMetadata(t, "socket", 13, 0o620)
	}
	if t.User.Privileged() && t.TryOnce("a device", vfs.Mknod(t.Dir, "device", fs.ModeDevice|fs.ModeCharDevice|0o600, 0x103)) {
		SetMetadata(t, "device", 14, 0o666)
	}
}

// Link makes a hard link.
func Link(t *check.T, oldname, newname string) error {
	return t.Dir.Link(t.Dir, oldname, newname)
}
