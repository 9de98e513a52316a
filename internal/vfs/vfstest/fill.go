package vfstest

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
			err = at(d, l.path, l.make)
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

// make makes a file or link, in the place of another one if need be.
func (l treeLine) make(d vfs.Dir, name string) error {
	err := d.Remove(name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if l.mode.Type() == fs.ModeSymlink {
		err = d.Symlink(l.text, name)
	} else {
		err = writeFile(d, name, 0o600, l.text)
	}
	if err != nil {
		return err
	}
	return l.setAttr(d, name)
}

func (l treeLine) setAttr(d vfs.Dir, name string) error {
	if l.mode.Type() != fs.ModeSymlink {
		if err := d.Chmod(name, l.mode&settable); err != nil {
			return err
		}
	}
	if l.mtime.IsZero() {
		return nil
	}
	return d.Chtimes(name, time.Time{}, l.mtime)
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
