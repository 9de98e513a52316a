package fstest

import (
	"errors"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"time"

	"psync/internal/vfs"
)

// Fill makes the entries of a tree in d, one a line:
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
//	f 644 @btime=2001-02-03T04:05:06Z     the time of birth,
//	f 644 @owner=501:20                   the owner and group,
//	f 644 @flags=0x8002                   all flags, as a number,
//	f 644 @acl=u501:0x2:0x10,g20:0x1:0x4  and an ACL of macOS: whom an entry is about, or
//	                                      "everyone", its flags and rights
//
// Space around a line does not count, nor do empty lines. Missing parents are
// made. A file or link that is in the way is replaced, so a tree can be changed by
// filling it again; a directory is kept. The result is what [Tree] prints.
func Fill(t testing.TB, d vfs.Dir, tree string) {
	t.Helper()
	var dirs []treeLine
	for s := range strings.Lines(tree) {
		if s = strings.TrimSpace(s); s == "" {
			continue
		}
		l, err := parseTreeLine(s)
		switch {
		case err != nil:
		case l.mode.IsDir():
			dirs = append(dirs, l)
			err = at(d, l.inside(), func(vfs.Dir, string) error { return nil })
		default:
			err = at(d, l.path, func(in vfs.Dir, name string) error { return l.make(d, in, name) })
		}
		if err != nil {
			t.Fatalf("fill %q: %v", s, err)
		}
	}
	// Children first: making an entry changes the time of its directory, and the
	// mode of a directory may close the way to what is below.
	slices.SortStableFunc(dirs, func(a, b treeLine) int { return strings.Compare(b.path, a.path) })
	for _, l := range dirs {
		if err := at(d, l.inside(), l.setAttr); err != nil {
			t.Fatalf("fill %q: %v", l, err)
		}
	}
}

// inside returns a path whose last element stands for the directory itself.
func (l treeLine) inside() string {
	if l.path == "." {
		return "."
	}
	return l.path + "/."
}

// at calls f with the directory that holds path and the last element of path,
// making directories that are missing on the way.
func at(d vfs.Dir, path string, f func(d vfs.Dir, name string) error) error {
	name, rest, deeper := strings.Cut(path, "/")
	if !deeper {
		return f(d, name)
	}
	if err := d.Mkdir(name, 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	sub, err := d.OpenDir(name)
	if err != nil {
		return err
	}
	return errors.Join(at(sub, rest, f), sub.Close())
}

// make makes an entry that is no directory, in the place of another one if need be.
func (l treeLine) make(root, d vfs.Dir, name string) error {
	err := d.Remove(name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	switch {
	case l.same != "":
		return at(root, l.same, func(from vfs.Dir, oldname string) error {
			return d.Link(from, oldname, name)
		})
	case l.mode.Type() == fs.ModeSymlink:
		err = d.Symlink(l.text, name)
	case l.mode.IsRegular():
		err = writeFile(d, name, 0o600, l.text)
	default:
		err = d.Mknod(name, l.mode.Type()|0o600, l.rdev)
	}
	if err != nil {
		return err
	}
	return l.setAttr(d, name)
}

// setAttr sets flags last, for they may forbid the rest, and the time of birth after that of
// modification, which may move it. Who has no right to write cannot set an attribute.
func (l treeLine) setAttr(d vfs.Dir, name string) error {
	err := l.onNode(d, name, len(l.xattrs) > 0, func(n vfs.Node) (err error) {
		for _, x := range l.xattrs {
			err = errors.Join(err, n.SetXattr(x.name, x.value))
		}
		return err
	})
	if err != nil {
		return err
	}
	if l.owner != nil {
		if err := d.Lchown(name, l.owner[0], l.owner[1]); err != nil {
			return err
		}
	}
	if l.mode.Type() != fs.ModeSymlink {
		if err := d.Chmod(name, l.mode&settable); err != nil {
			return err
		}
	}
	if !l.mtime.IsZero() {
		if err := d.Chtimes(name, time.Time{}, l.mtime); err != nil {
			return err
		}
	}
	return l.onNode(d, name, !l.btime.IsZero() || l.flags != nil, func(n vfs.Node) (err error) {
		if !l.btime.IsZero() {
			err = n.SetBtime(l.btime)
		}
		if l.flags != nil {
			err = errors.Join(err, n.SetFlags(*l.flags))
		}
		return err
	})
}

// onNode calls f with a Node if one is needed.
func (l treeLine) onNode(d vfs.Dir, name string, need bool, f func(vfs.Node) error) error {
	if !need {
		return nil
	}
	n, err := d.Node(name)
	if err != nil {
		return err
	}
	return errors.Join(f(n), n.Close())
}

// writeFile makes a file with contents.
func writeFile(d vfs.Dir, name string, perm fs.FileMode, data string) error {
	f, err := d.Create(name, perm)
	if err != nil {
		return err
	}
	_, err = f.WriteAt([]byte(data), 0)
	return errors.Join(err, f.Close())
}
