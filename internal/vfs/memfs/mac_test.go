package memfs_test

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
	"testing"
	"time"

	"psync/internal/vfs"
	"psync/internal/vfs/fstest"
	"psync/internal/vfs/memfs"
	"psync/internal/vfs/suite"
)

// user is a caller who is not root.
var user = memfs.Mac{UID: 501, GID: 20, Groups: []uint32{12}}

// with returns user on a volume that is different.
func with(change func(m *memfs.Mac)) memfs.Mac {
	m := user
	change(&m)
	return m
}

// newMac returns what the user sees of a new Mem with a tree in it, and what is there.
func newMac(t testing.TB, m memfs.Mac, tree string) (d, plant vfs.Dir) {
	t.Helper()
	mem := memfs.NewMac(m)
	d, plant = mem.TestRoot(t), mem.Plant()
	t.Cleanup(func() { must(t, plant.Close()) })
	fstest.Fill(t, plant, tree)
	return d, plant
}

func TestMac(t *testing.T) {
	gid := uint32(os.Getegid()) // that the suite gives entries to
	for name, m := range map[string]memfs.Mac{
		"root":        {},
		"user":        {UID: 501, GID: gid},
		"APFS":        {UID: 501, GID: gid, Folds: true},
		"HFS+":        {UID: 501, GID: gid, Decomposes: true},
		"AppleDouble": {UID: 501, GID: gid, AppleDouble: true},
	} {
		t.Run(name, func(t *testing.T) {
			suite.TestDir(t, func(t testing.TB) vfs.Dir { return memfs.NewMac(m).TestRoot(t) })
		})
	}
}

// A rule is one that a simulated Mac has: what comes of doing something to a tree.
type rule struct {
	name string
	mac  memfs.Mac
	tree string
	do   func(d vfs.Dir) error
	err  error  // nil if it is permitted
	left string // of the tree, or "" for whatever it is
}

// checkRules lets the user do what the rules are about.
func checkRules(t *testing.T, rules []rule, opts ...fstest.TreeOption) {
	t.Helper()
	for _, r := range rules {
		t.Run(r.name, func(t *testing.T) {
			d, plant := newMac(t, r.mac, r.tree)
			err := r.do(d)
			if !errors.Is(err, r.err) || (err == nil) != (r.err == nil) {
				t.Errorf("error %v, want %v", err, r.err)
			}
			if got := fstest.Tree(t, plant, opts...); r.left != "" && got != r.left {
				t.Errorf("got:\n%swant:\n%s", got, r.left)
			}
		})
	}
}

// set returns a function that sets an attribute of f to a value.
func set(name, value string) func(d vfs.Dir) error {
	return onNode("f", func(n vfs.Node) error { return vfs.SetXattr(n, name, []byte(value)) })
}

func unset(name string) func(d vfs.Dir) error {
	return onNode("f", func(n vfs.Node) error { return vfs.RemoveXattr(n, name) })
}

func setFlags(flags uint32) func(d vfs.Dir) error {
	return onNode("f", func(n vfs.Node) error { return vfs.SetFlags(n, flags) })
}

func touch(d vfs.Dir) error   { return vfs.Chtimes(vfs.In(d, "f"), long, long) }
func remove(d vfs.Dir) error  { return d.Remove("f", nil) }
func rename(d vfs.Dir) error  { return d.Rename("f", nil, "g", nil) }
func replace(d vfs.Dir) error { return d.Rename("new", nil, "f", nil) }
func link(d vfs.Dir) error    { return d.Link(d, "f", "g") }
func rewrite(d vfs.Dir) error { return closeFile(d.OpenFile("f", vfs.ReadWrite, 0)) }
func chmod(d vfs.Dir) error   { return vfs.Chmod(vfs.In(d, "f"), 0o600) }

// in returns a function that does something in a subdirectory.
func in(name string, do func(d vfs.Dir) error) func(d vfs.Dir) error {
	return func(d vfs.Dir) error {
		sub, err := d.OpenDir(name, vfs.NoFollow)
		if err != nil {
			return err
		}
		return errors.Join(do(sub), sub.Close())
	}
}

// moveOut moves f out of a subdirectory, moveIn another one into it.
func moveOut(d vfs.Dir) error {
	return in("d", func(sub vfs.Dir) error { return sub.Rename("f", d, "g", nil) })(d)
}

func moveIn(d vfs.Dir) error {
	return in("d", func(sub vfs.Dir) error { return d.Rename("f", sub, "g", nil) })(d)
}

func create(d vfs.Dir) error { return closeFile(d.OpenFile("new", vfs.Create, 0o644)) }

// read reads the contents of f, write changes them.
func read(d vfs.Dir) error {
	f, err := d.OpenFile("f", vfs.ReadOnly, 0)
	if err != nil {
		return err
	}
	_, err = f.ReadAt(make([]byte, 1), 0)
	return errors.Join(err, f.Close())
}

func write(d vfs.Dir) error {
	f, err := d.OpenFile("f", vfs.ReadWrite, 0)
	if err != nil {
		return err
	}
	_, err = f.WriteAt([]byte("x"), 0)
	return errors.Join(err, f.Truncate(1), f.Close())
}

func TestMacModes(t *testing.T) {
	const others = "f 644 @owner=502:20 x"
	checkRules(t, []rule{
		{"an attribute of a read-only file", user, "f 444", set("a", "x"), syscall.EACCES, ""},
		{"removing one", user, "f 444 @a=x", unset("a"), syscall.EACCES, ""},
		{"one of an unreadable file", user, "f 200 @a=x", onNode("f", func(n vfs.Node) error { _, err := n.Xattr("a"); return err }), syscall.EACCES, ""},
		{"listing those of one", user, "f 200 @a=x", onNode("f", func(n vfs.Node) error { _, err := n.Xattrs(false); return err }), syscall.EACCES, ""},
		{"an attribute of a writable file", user, "f 644", set("a", "x"), nil, "f 644 @owner=501:20 @a=x\n"},
		{"root and a read-only file", memfs.Mac{}, "f 444", set("a", "x"), nil, "f 444 @owner=0:0 @a=x\n"},
		{"a handle that was opened for writing", user, "f 644", func(d vfs.Dir) error {
			f, err := d.OpenFile("f", vfs.ReadWrite, 0)
			if err != nil {
				return err
			}
			return errors.Join(vfs.Chmod(f, 0o444), vfs.SetXattr(f, "a", nil), f.Close())
		}, syscall.EACCES, ""},
		{"opening a read-only file for writing", user, "f 444", rewrite, syscall.EACCES, ""},
		{"opening an unreadable file", user, "f 000", read, syscall.EACCES, ""},
		{"opening an unreadable directory", user, "d/ 300", func(d vfs.Dir) error { return closeDir(d.OpenDir("d", vfs.NoFollow)) }, syscall.EACCES, ""},
		{"a look into a directory without x", user, "d/f 644\nd/ 600", in("d", touch), syscall.EACCES, ""},
		{"making in a read-only directory", user, "d/ 555", in("d", create), syscall.EACCES, ""},
		{"removing from one", user, "d/f 644\nd/ 555", in("d", remove), syscall.EACCES, ""},
		{"removing what is another's from a sticky directory", user, "d/f 644 @owner=502:20\nd/ 1777 @owner=502:20", in("d", remove), syscall.EACCES, ""},
		{"another's mode", user, others, chmod, syscall.EPERM, ""},
		{"another's times", user, others, touch, syscall.EPERM, ""},
		{"another's flags", user, others, setFlags(1), syscall.EPERM, ""},
		{"another's creation time", user, others, onNode("f", func(n vfs.Node) error { return vfs.SetBtime(n, long) }), syscall.EPERM, ""},
		{"another's file with a writable mode", user, "f 666 @owner=502:99", set("a", "x"), nil, ""},
		{"another's file with a mode for the group", user, "f 664 @owner=502:12", set("a", "x"), nil, ""},
		{"another's file with no mode for the group", user, "f 646 @owner=502:12", set("a", "x"), syscall.EACCES, ""},
		{"root and another's file", memfs.Mac{}, others, touch, nil, ""},
	}, fstest.WithOwners, fstest.WithXattrs)
}

func TestMacOwners(t *testing.T) {
	chown := func(uid, gid int) func(vfs.Dir) error {
		return func(d vfs.Dir) error { return vfs.Chown(vfs.In(d, "f"), uid, gid) }
	}
	ignored := with(func(m *memfs.Mac) { m.OwnersIgnored = true })
	checkRules(t, []rule{
		{"giving a file away", user, "f 644", chown(502, -1), syscall.EPERM, "f 644 @owner=501:20\n"},
		{"root gives it away", memfs.Mac{}, "f 6755", chown(502, 20), nil, "f 755 @owner=502:20\n"},
		{"to a group of the caller's", user, "f 6755", chown(501, 12), nil, "f 755 @owner=501:12\n"},
		{"to another group", user, "f 644", chown(-1, 99), syscall.EPERM, "f 644 @owner=501:20\n"},
		{"another's file to a group", user, "f 644 @owner=502:20", chown(-1, 12), syscall.EPERM, ""},
		{"set-group-id for another group", user, "f 644 @owner=501:99", func(d vfs.Dir) error { return vfs.Chmod(vfs.In(d, "f"), fs.ModeSetgid|0o755) }, syscall.EPERM, ""},
		{"a new entry has the group of its directory", user, "d/ @owner=501:99", in("d", create), nil, "d/ 755 @owner=501:99\nd/new 644 @owner=501:99\n"},
		{"ownership that is ignored is not changed", ignored, "f 4755", chown(502, 99), nil, "f 4755 @owner=501:20\n"},
		{"and shows the caller", ignored, "f 644 @owner=502:99", touch, nil, "f 644 @owner=501:20\n"},
		{"a device made by another than root", user, "", func(d vfs.Dir) error { return vfs.Mknod(d, "dev", fs.ModeDevice|0o600, 1) }, syscall.EPERM, ""},
		{"a device made by root", memfs.Mac{}, "", func(d vfs.Dir) error { return vfs.Mknod(d, "dev", fs.ModeDevice|0o600, 1) }, nil, "dev 600 @owner=0:0 (block 0x1)\n"},
		{"a fifo", user, "", func(d vfs.Dir) error { return vfs.Mknod(d, "p", fs.ModeNamedPipe|0o600, 0) }, nil, "p 600 @owner=501:20 (fifo)\n"},
		{"a fifo on FAT", with(func(m *memfs.Mac) { m.FAT = true }), "", func(d vfs.Dir) error { return vfs.Mknod(d, "p", fs.ModeNamedPipe|0o600, 0) }, syscall.EINVAL, ""},
		{"a socket", user, "", func(d vfs.Dir) error { return vfs.Mknod(d, "s", fs.ModeSocket|0o600, 0) }, errors.ErrUnsupported, ""},
	}, fstest.WithOwners)
}

const (
	fork       = "com.apple.ResourceFork"
	provenance = "com.apple.provenance"
)

// long is a time long ago.
var long = time.Unix(1_000_000_000, 0)

// onNode returns a function that does something to an entry.
func onNode(name string, do func(n vfs.Node) error) func(d vfs.Dir) error {
	return func(d vfs.Dir) error {
		n, err := d.Node(name)
		if err != nil {
			return err
		}
		return errors.Join(do(n), n.Close())
	}
}
