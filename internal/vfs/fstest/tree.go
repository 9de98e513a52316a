package fstest

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"testing"

	"psync/internal/vfs"
)

// A TreeOption makes [Tree] tell more.
type TreeOption int

const (
	// WithMtimes shows modification times.
	WithMtimes TreeOption = iota
	// WithRoot shows the directory itself, as "./".
	WithRoot
	// WithBtimes shows times of birth.
	WithBtimes
	// WithOwners shows owners and groups.
	WithOwners
	// WithFlags shows the flags of what has any.
	WithFlags
	// WithXattrs shows extended attributes, ACLs among them, but for those that a
	// system sets as it likes: com.apple.provenance and security.selinux.
	WithXattrs
	// WithLinks shows the second and later names of an entry as hard links to the first.
	WithLinks
)

// shortText is the size of contents that Tree prints rather than sums up.
const shortText = 64

// Tree lists a tree, sorted, one line an entry as [Fill] reads it: two trees are
// equal if their listings are. Instead of what a line cannot hold stands a note in
// parentheses: the size and SHA-256 of long contents or of a long value, or that the
// entry may not be read. What options do not ask for is left out.
func Tree(t testing.TB, d vfs.Dir, opts ...TreeOption) string {
	t.Helper()
	w := treeWriter{opts: opts, first: make(map[vfs.ID]string)}
	if slices.Contains(opts, WithRoot) {
		if err := w.entry(d, ".", "."); err != nil {
			t.Fatalf("tree: %v", err)
		}
	}
	if err := w.dir(d, ""); err != nil {
		t.Fatalf("tree: %v", err)
	}
	return w.out.String()
}

type treeWriter struct {
	opts  []TreeOption
	first map[vfs.ID]string // the first path of what has several
	out   strings.Builder
}

// dir lists what is below a directory.
func (w *treeWriter) dir(d vfs.Dir, at string) error {
	names, err := list(d)
	if err != nil {
		return err
	}
	for _, name := range names {
		p := path.Join(at, name)
		if err := w.entry(d, name, p); err != nil {
			return fmt.Errorf("%s: %w", p, err)
		}
	}
	return nil
}

// entry lists an entry and what is below it.
func (w *treeWriter) entry(d vfs.Dir, name, at string) error {
	a, err := d.Lstat(name)
	if err != nil {
		return err
	}
	l := treeLine{path: at, mode: a.Mode}
	if w.with(WithLinks) && a.Nlink > 1 && !a.Mode.IsDir() {
		first, ok := w.first[a.ID()]
		if ok {
			l.same = first
			fmt.Fprintln(&w.out, l)
			return nil
		}
		w.first[a.ID()] = at
	}
	if l.lineAttrs, err = w.attrs(d, name, a); err != nil {
		return err
	}
	var sub vfs.Dir
	switch a.Mode.Type() {
	case 0:
		l.text, l.note, err = contents(d, name, a.Size)
	case fs.ModeSymlink:
		l.text, err = d.Readlink(name)
	case fs.ModeDir:
		if name != "." {
			sub, err = d.OpenDir(name)
		}
	default:
		l.note = specialNote(a.Mode, a.Rdev)
	}
	if errors.Is(err, fs.ErrPermission) {
		l.note, err = "permission denied", nil
	}
	fmt.Fprintln(&w.out, l)
	if sub == nil {
		return err
	}
	return errors.Join(w.dir(sub, at), sub.Close())
}

// contents returns the contents of a file, or a note about long ones.
func contents(d vfs.Dir, name string, size int64) (text, note string, err error) {
	if size <= shortText {
		text, err = readFile(d, name)
		return text, "", err
	}
	f, err := d.Open(name)
	if err != nil {
		return "", "", err
	}
	sum := sha256.New()
	_, err = io.Copy(sum, io.NewSectionReader(f, 0, size))
	note = fmt.Sprintf("%d bytes, sha256 %.6x", size, sum.Sum(nil))
	return "", note, errors.Join(err, f.Close())
}

// readFile returns the contents of a file.
func readFile(d vfs.Dir, name string) (string, error) {
	f, err := d.Open(name)
	if err != nil {
		return "", err
	}
	data, err := io.ReadAll(io.NewSectionReader(f, 0, 1<<62))
	return string(data), errors.Join(err, f.Close())
}

// list returns the sorted names in a directory.
func list(d vfs.Dir) ([]string, error) {
	var names []string
	err := d.ReadDir(func(entries []vfs.Entry) error {
		for _, e := range entries {
			names = append(names, e.Name)
		}
		return nil
	})
	slices.Sort(names)
	return names, err
}
