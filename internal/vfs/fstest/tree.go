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

// Tree returns a sorted listing of a tree with one line per entry in the format that [Fill] reads: two trees are equal
// if their listings are. A note in parentheses stands for what does not fit on a line: the size and SHA-256 of long
// contents or of a long value, or that the entry may not be read.
func Tree(t testing.TB, d vfs.Dir, opts ...TreeOption) string {
	t.Helper()
	p := printer{opts: opts, first: make(map[vfs.ID]string)}
	if p.opts.with(WithRoot) {
		if err := p.entry(d, ".", "."); err != nil {
			t.Fatalf("tree: %v", err)
		}
	}
	if err := p.dir(d, ""); err != nil {
		t.Fatalf("tree: %v", err)
	}
	return p.out.String()
}

// A printer prints the entries of one tree.
type printer struct {
	opts  options
	first map[vfs.ID]string // the first path of each entry with several names
	out   strings.Builder
}

// dir prints everything below a directory.
func (p *printer) dir(d vfs.Dir, at string) error {
	names, err := Names(d)
	for _, name := range names {
		if err := p.entry(d, name, path.Join(at, name)); err != nil {
			return fmt.Errorf("%s: %w", path.Join(at, name), err)
		}
	}
	return err
}

// entry prints an entry and everything below it.
func (p *printer) entry(d vfs.Dir, name, at string) error {
	a, err := vfs.Lstat(d, name)
	if err != nil {
		return err
	}
	if p.opts.with(WithLinks) && a.Nlink > 1 && !a.Mode.IsDir() {
		if first, ok := p.first[a.ID()]; ok {
			fmt.Fprintf(&p.out, "%s (= %s)\n", quoteWord(at), quoteWord(first))
			return nil
		}
		p.first[a.ID()] = at
	}
	words, err := words(d, name, a, p.opts)
	if err != nil {
		return err
	}
	var rest string // contents, a target or a note
	var sub vfs.Dir
	switch a.Mode.Type() {
	case 0:
		rest, err = contents(d, name, a.Size)
	case fs.ModeSymlink:
		var target string
		target, err = d.Readlink(name)
		rest = "-> " + quoteText(target)
	case fs.ModeDir:
		at += "/"
		if name != "." {
			sub, err = d.OpenDir(name, vfs.NoFollow)
		}
	default:
		rest = specialNote(a)
	}
	if errors.Is(err, fs.ErrPermission) {
		rest, err = "(permission denied)", nil
	}
	if rest != "" {
		words = append(words, rest)
	}
	fmt.Fprintln(&p.out, strings.Join(slices.Insert(words, 0, quotePath(at)), " "))
	if sub == nil {
		return err
	}
	return errors.Join(p.dir(sub, strings.TrimSuffix(at, "/")), sub.Close())
}

// contents returns the contents of a file as text, or a note if they are long.
func contents(d vfs.Dir, name string, size int64) (string, error) {
	if size <= maxText {
		text, err := ReadFile(d, name)
		return quoteText(text), err
	}
	f, err := d.OpenFile(name, vfs.ReadOnly, 0)
	if err != nil {
		return "", err
	}
	sum := sha256.New()
	_, err = io.Copy(sum, io.NewSectionReader(f, 0, size))
	return longNote(size, sum.Sum(nil)), errors.Join(err, f.Close())
}
