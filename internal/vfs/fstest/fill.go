// Package fstest describes trees as text: [Fill] and [Tree] build and print them. Only tests import this package.
package fstest

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"psync/internal/vfs"
	"psync/internal/vfs/memfs/kernel"
)

// settable are the bits of a mode that Chmod sets.
const settable = fs.ModePerm | fs.ModeSetuid | fs.ModeSetgid | fs.ModeSticky

// Fill makes the entries of a tree in d, one per line:
//
//	dir/                                  a directory, mode 755
//	dir/sub/ 1777                         with a mode of its own
//	dir/empty                             an empty file, mode 644
//	dir/file 600 some words               a file and its contents; they need a mode
//	dir/file 600 "two\nlines\n"           contents as a Go string
//	dir/big 600 "0123456789"*1000         repeated
//	dir/link -> ../target                 a symbolic link
//	"a b\xff" 644                         a name as a Go string
//	dir/old 644 @2001-02-03T04:05:06.7Z x with a modification time, in any line
//	./ 700                                d itself
//	pipe 644 (fifo)                       or (socket), (char 0x103), (block 0x801)
//	dir/again (= dir/file)                another name of an entry made before
//	f 644 @user.tag=red @user.x="a b"     extended attributes, in any line, with any
//	                                      number of words that begin with @; these may be
//	f 644 @btime=2001-02-03T04:05:06Z     the creation time,
//	f 644 @owner=501:20                   the owner and group,
//	f 644 @flags=0x8002                   all flags, as a number,
//	f 644 @acl=everyone:0x2:0x10          and an ACL of macOS: flags and rights of its
//	                                      entries, with commas between them
//
// Space around a line does not count, nor do empty lines. Missing parents are
// made. A file or link that is in the way is replaced, so a tree can be changed by
// filling it again; a directory is kept. [Tree] prints the result.
func Fill(t testing.TB, d vfs.Dir, tree string) {
	t.Helper()
	var dirs []line
	for s := range strings.Lines(tree) {
		if s = strings.TrimSpace(s); s == "" {
			continue
		}
		l, err := parseLine(s)
		switch {
		case err != nil:
		case l.mode.IsDir():
			dirs = append(dirs, l)
			err = at(d, l.inside(), func(vfs.Dir, string) error { return nil })
		default:
			err = at(d, l.path, func(in vfs.Dir, name string) error { return l.makeEntry(d, in, name) })
		}
		if err != nil {
			t.Fatalf("fill %q: %v", s, err)
		}
	}
	// Children first: making an entry changes the time of its directory, and the
	// mode of a directory may close the way to the entries below it.
	slices.SortStableFunc(dirs, func(a, b line) int { return strings.Compare(b.path, a.path) })
	for _, l := range dirs {
		if err := at(d, l.inside(), l.setAttrs); err != nil {
			t.Fatalf("fill %q: %v", l.path, err)
		}
	}
}

// inside returns a path whose last element stands for the directory itself.
func (l line) inside() string {
	if l.path == "." {
		return "."
	}
	return l.path + "/."
}

// at calls f with the directory that holds path and the last element of path. It makes
// directories that are missing on the way.
func at(d vfs.Dir, path string, f func(d vfs.Dir, name string) error) error {
	name, rest, deeper := strings.Cut(path, "/")
	if !deeper {
		return f(d, name)
	}
	if err := vfs.Mkdir(d, name, 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	sub, err := d.OpenDir(name, vfs.NoFollow)
	if err != nil {
		return err
	}
	return errors.Join(at(sub, rest, f), sub.Close())
}

// makeEntry makes an entry that is not a directory. It replaces one that is in the way.
func (l line) makeEntry(root, d vfs.Dir, name string) error {
	err := d.Remove(name, nil)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	switch {
	case l.same != "":
		return at(root, l.same, func(from vfs.Dir, oldname string) error { return d.Link(from, oldname, name) })
	case l.mode.Type() == fs.ModeSymlink:
		err = vfs.Symlink(d, l.text, name)
	case l.mode.IsRegular():
		err = WriteFile(d, name, 0o600, l.text)
	default:
		err = vfs.Mknod(d, name, l.mode.Type()|0o600, l.rdev)
	}
	if err != nil {
		return err
	}
	return l.setAttrs(d, name)
}

// setAttrs sets the attributes of an entry: flags last, since they may forbid the rest; the creation time
// after the modification time, which may change it; extended attributes before the owner and mode, which may
// take the right to write away.
func (l line) setAttrs(d vfs.Dir, name string) error {
	for attr, value := range l.attrs {
		switch attr {
		case "", "btime", "owner", "flags":
			continue
		case "acl":
			acl, err := parseACL(value)
			if err != nil {
				return err
			}
			attr, value = kernel.ACLName, string(acl)
		}
		if err := OnNode(func(n vfs.Node) error { return vfs.SetXattr(n, attr, []byte(value)) })(d, name); err != nil {
			return err
		}
	}
	var err error
	set := func(attr string, f func(value string) error) {
		if value, ok := l.attrs[attr]; ok && err == nil {
			err = f(value)
		}
	}
	set("owner", func(value string) error {
		var uid, gid int
		if _, err := fmt.Sscanf(value, "%d:%d", &uid, &gid); err != nil {
			return err
		}
		return vfs.Chown(vfs.In(d, name), uid, gid)
	})
	if err == nil && l.mode.Type() != fs.ModeSymlink {
		err = vfs.Chmod(vfs.In(d, name), l.mode&settable)
	}
	set("", func(value string) error {
		mtime, err := time.Parse(time.RFC3339Nano, value)
		if err != nil {
			return err
		}
		return vfs.Chtimes(vfs.In(d, name), time.Time{}, mtime)
	})
	set("btime", func(value string) error {
		btime, err := time.Parse(time.RFC3339Nano, value)
		if err != nil {
			return err
		}
		return OnNode(func(n vfs.Node) error { return vfs.SetBtime(n, btime) })(d, name)
	})
	set("flags", func(value string) error {
		flags, err := strconv.ParseUint(value, 0, 32)
		if err != nil {
			return err
		}
		return OnNode(func(n vfs.Node) error { return vfs.SetFlags(n, uint32(flags)) })(d, name)
	})
	return err
}
