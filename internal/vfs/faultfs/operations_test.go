package faultfs_test

import (
	"errors"
	"io/fs"
	"time"

	"psync/internal/vfs"
)

// An operation is tried on a Dir with a file, a directory and a link.
type operation struct {
	op, name string
	do       func(d vfs.Dir) error
}

// dirOperations are those of a Dir that take nothing else to be done before.
var dirOperations = []operation{
	{"lstat", "file", func(d vfs.Dir) error { _, err := vfs.Lstat(d, "file"); return err }},
	{"readdir", ".", func(d vfs.Dir) error { return d.ReadDir(func([]vfs.Entry) error { return nil }) }},
	{"opendir", "dir", func(d vfs.Dir) error { return closeDir(d.OpenDir("dir", vfs.NoFollow)) }},
	{"open", "file", func(d vfs.Dir) error { return closeFile(d.OpenFile("file", vfs.ReadOnly, 0)) }},
	{"create", "new", func(d vfs.Dir) error { return closeFile(d.OpenFile("new", vfs.Create, 0o644)) }},
	{"mkdir", "new", func(d vfs.Dir) error { return vfs.Mkdir(d, "new", 0o755) }},
	{"symlink", "new", func(d vfs.Dir) error { return vfs.Symlink(d, "target", "new") }},
	{"readlink", "link", func(d vfs.Dir) error { _, err := d.Readlink("link"); return err }},
	{"rename", "new", func(d vfs.Dir) error { return d.Rename("file", nil, "new", nil) }},
	{"remove", "file", func(d vfs.Dir) error { return d.Remove("file", nil) }},
	{"rmdir", "dir", func(d vfs.Dir) error { return d.Rmdir("dir") }},
	{"chmod", "file", func(d vfs.Dir) error { return vfs.Chmod(vfs.In(d, "file"), 0o600) }},
	{"chown", "file", func(d vfs.Dir) error { return vfs.Chown(vfs.In(d, "file"), 12, 34) }},
	{"chtimes", "file", func(d vfs.Dir) error { return vfs.Chtimes(vfs.In(d, "file"), long, long) }},
	{"stat", "link", func(d vfs.Dir) error { _, err := d.Statx("link", vfs.StatxFollow); return err }},
	{"followdir", "dir", func(d vfs.Dir) error { return closeDir(d.OpenDir("dir", vfs.Follow)) }},
	{"followfile", "link", func(d vfs.Dir) error { return closeFile(d.OpenFile("link", vfs.ReadFollow, 0)) }},
	{"link", "new", func(d vfs.Dir) error { return d.Link(d, "file", "new") }},
	{"move", "new", func(d vfs.Dir) error { return d.Rename("file", d, "new", nil) }},
	{"rewrite", "file", func(d vfs.Dir) error { return closeFile(d.OpenFile("file", vfs.ReadWrite, 0)) }},
	{"mknod", "new", func(d vfs.Dir) error { return vfs.Mknod(d, "new", fs.ModeNamedPipe|0o600, 0) }},
	{"node", "link", onNode("link", func(vfs.Node) error { return nil })},
	{"stat", "link", onNode("link", func(n vfs.Node) error { _, err := vfs.Stat(n); return err })},
	{"fchmod", "dir", onNode("dir", func(n vfs.Node) error { return vfs.Chmod(n, 0o700) })},
	{"fchown", "link", onNode("link", func(n vfs.Node) error { return vfs.Chown(n, 12, 34) })},
	{"fchtimes", "link", onNode("link", func(n vfs.Node) error { return vfs.Chtimes(n, long, long) })},
	{"setbtime", "dir", onNode("dir", func(n vfs.Node) error { return vfs.SetBtime(n, long) })},
	{"flags", "link", onNode("link", func(n vfs.Node) error { _, err := n.Flags(); return err })},
	{"chflags", "link", onNode("link", func(n vfs.Node) error { return vfs.SetFlags(n, 1) })},
	{"xattrs", "link", onNode("link", func(n vfs.Node) error { _, err := n.Xattrs(true); return err })},
	{"xattr", "file", onNode("file", func(n vfs.Node) error { _, err := n.Xattr("a"); return err })},
	{"setxattr", "link", onNode("link", func(n vfs.Node) error { return vfs.SetXattr(n, "a", nil) })},
	{"removexattr", "file", onNode("file", func(n vfs.Node) error { return vfs.RemoveXattr(n, "a") })},
	{"xattrsize", "file", onNode("file", func(n vfs.Node) error { _, err := vfs.XattrSize(n, fork); return err })},
	{"readxattr", "file", onNode("file", func(n vfs.Node) error {
		_, err := n.ReadXattrAt(fork, make([]byte, 2), 0)
		return err
	})},
}

const fork = "com.apple.ResourceFork"

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

// fileOperations are those of a File, and closing.
var fileOperations = []operation{
	{"close", "dir", func(d vfs.Dir) error { return closeDir(d.OpenDir("dir", vfs.NoFollow)) }},
	{"close", "dir", func(d vfs.Dir) error { return closeDir(d.OpenDir("dir", vfs.Follow)) }},
	{"rclose", "file", func(d vfs.Dir) error { return closeFile(d.OpenFile("file", vfs.ReadOnly, 0)) }},
	{"rclose", "link", func(d vfs.Dir) error { return closeFile(d.OpenFile("link", vfs.ReadFollow, 0)) }},
	{"fclose", "file", func(d vfs.Dir) error { return closeFile(d.OpenFile("file", vfs.ReadWrite, 0)) }},
	{"fclose", "new", func(d vfs.Dir) error { return closeFile(d.OpenFile("new", vfs.Create, 0o644)) }},
	{"nclose", "file", onNode("file", func(vfs.Node) error { return nil })},
	{"clonefile", "new", cloneFile},
	{"fclose", "new", cloneFile},
	{"setbtime", "new", onNew(func(f vfs.File) error { return vfs.SetBtime(f, long) })},
	{"flags", "new", onNew(func(f vfs.File) error { _, err := f.Flags(); return err })},
	{"chflags", "new", onNew(func(f vfs.File) error { return vfs.SetFlags(f, 1) })},
	{"xattrs", "new", onNew(func(f vfs.File) error { _, err := f.Xattrs(true); return err })},
	{"xattr", "new", onNew(func(f vfs.File) error { _, err := f.Xattr(provenance); return err })},
	{"setxattr", "new", onNew(func(f vfs.File) error { return vfs.SetXattr(f, "a", nil) })},
	{"removexattr", "new", onNew(func(f vfs.File) error {
		return errors.Join(vfs.SetXattr(f, "a", nil), vfs.RemoveXattr(f, "a"))
	})},
	{"writexattr", "new", onNew(func(f vfs.File) error {
		return vfs.WriteXattrAt(f, fork, []byte("12345678"), 0)
	})},
	{"stat", "new", onNew(func(f vfs.File) error { _, err := vfs.Stat(f); return err })},
	{"write", "new", onNew(func(f vfs.File) error { _, err := f.WriteAt([]byte("12345678"), 0); return err })},
	{"preallocate", "new", onNew(func(f vfs.File) error { return f.Fallocate(vfs.Preallocate, 0, 8) })},
	{"truncate", "new", onNew(func(f vfs.File) error { return f.Truncate(10) })},
	{"fchmod", "new", onNew(func(f vfs.File) error { return vfs.Chmod(f, 0o600) })},
	{"fchown", "new", onNew(func(f vfs.File) error { return vfs.Chown(f, 12, 34) })},
	{"fchtimes", "new", onNew(func(f vfs.File) error { return vfs.Chtimes(f, long, long) })},
	{"read", "file", func(d vfs.Dir) error {
		f, err := d.OpenFile("file", vfs.ReadOnly, 0)
		if err != nil {
			return err
		}
		_, err = f.ReadAt(make([]byte, 2), 0)
		return errors.Join(err, f.Close())
	}},
}

const provenance = "com.apple.provenance"

// cloneFile makes a clone of a file.
func cloneFile(d vfs.Dir) error {
	f, err := d.OpenFile("file", vfs.ReadOnly, 0)
	if err != nil {
		return err
	}
	return errors.Join(closeFile(d.CloneFile(f, "new", true)), f.Close())
}

var long = time.Unix(1_000_000_000, 0)

// onNew returns a function that does something to a new file.
func onNew(do func(f vfs.File) error) func(d vfs.Dir) error {
	return func(d vfs.Dir) error {
		f, err := d.OpenFile("new", vfs.Create, 0o644)
		if err != nil {
			return err
		}
		return errors.Join(do(f), f.Close())
	}
}

func closeDir(d vfs.Dir, err error) error {
	if err != nil {
		return err
	}
	return d.Close()
}

func closeFile(f vfs.File, err error) error {
	if err != nil {
		return err
	}
	return f.Close()
}
