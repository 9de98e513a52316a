package source

import (
	"cmp"
	"context"
	"io/fs"
	"slices"
	"strings"

	"psync/internal/vfs"
)

// A Lister lists what takes part in a copy.
type Lister struct {
	*Selector
	OneFileSystem bool // do not enter directories of file systems other than the source's
	// Found is called for each entry with its path below the destination, or "." for the destination itself. target
	// is the target of a symbolic link.
	Found func(path string, attr vfs.Attr, target string)
	// Failed is called for what could not be read; path is relative to the directory that label stands for.
	Failed func(label, path string, err error)

	label string
	dev   uint64
}

// List lists the entries of trees that take part, in rsync's order: within each directory by name, with directories
// and their contents last. It returns the cause of ctx if ctx ends first.
func (l *Lister) List(ctx context.Context, trees []Tree) error {
	for _, t := range trees {
		l.label = t.Label
		for _, name := range t.Failed() {
			l.Failed(l.label, name, t.Err)
		}
		if t.Err != nil {
			continue
		}
		dir := t.Dir
		if dir == nil {
			var err error
			if dir, err = t.Open(); err != nil {
				l.Failed(l.label, "", err)
				continue
			}
		}
		l.tree(ctx, t, dir)
		if t.Dir == nil {
			dir.Close()
		}
	}
	return context.Cause(ctx)
}

func (l *Lister) tree(ctx context.Context, t Tree, d vfs.Dir) {
	attr, err := vfs.Lstat(d, ".")
	if err != nil {
		l.Failed(l.label, "", err)
		return
	}
	l.dev = attr.Dev
	in := Scope{Path: t.Into, Lineage: (*Lineage)(nil).Child(attr.ID())}
	if len(t.Names) == 0 {
		if !t.EntriesOnly {
			l.Found(cmp.Or(t.Into, "."), attr, "")
		}
		l.directory(ctx, d, in, "")
		return
	}
	var entries []vfs.Entry
	var omitted []Omission
	if l.Files != nil {
		entries, omitted = l.LookUpListed(d, in, t.Names)
	} else {
		entries, omitted = LookUp(d, t.Names)
	}
	l.omit(omitted, "")
	l.entries(ctx, d, in, "", entries)
}

// directory lists the entries of d, whose path in the source is at.
func (l *Lister) directory(ctx context.Context, d vfs.Dir, in Scope, at string) {
	entries, omitted, all := l.Named(d, in)
	l.omit(omitted, at)
	if all {
		entries = nil
		err := d.ReadDir(func(some []vfs.Entry) error {
			entries = append(entries, some...)
			return context.Cause(ctx)
		})
		if err != nil && ctx.Err() == nil {
			l.Failed(l.label, at, err)
		}
	}
	l.entries(ctx, d, in, at, entries)
}

func (l *Lister) entries(ctx context.Context, d vfs.Dir, in Scope, at string, entries []vfs.Entry) {
	entries, _, omitted := l.Select(d, in, entries, nil)
	l.omit(omitted, at)
	slices.SortFunc(entries, func(a, b vfs.Entry) int {
		switch first, second := a.Type.IsDir(), b.Type.IsDir(); {
		case first && second:
			return strings.Compare(a.Name+"/", b.Name+"/") // "a-b/" comes before "a/"
		case first:
			return 1
		case second:
			return -1
		}
		return strings.Compare(a.Name, b.Name)
	})
	for _, e := range entries {
		if ctx.Err() != nil {
			return
		}
		l.entry(ctx, d, in, vfs.Join(at, e.Name), e)
	}
}

// entry lists the entry e of d, whose path in the source is at.
func (l *Lister) entry(ctx context.Context, d vfs.Dir, in Scope, at string, e vfs.Entry) {
	path := vfs.Join(in.Path, e.Name)
	follow := e.Type != fs.ModeSymlink && (l.links.Follows() || l.Files != nil && l.Files.Follows(path))
	attr, err := Stat(d, e, follow)
	target := ""
	if err == nil && attr.Mode.Type() == fs.ModeSymlink {
		target, err = e.Readlink(d)
	}
	if err != nil {
		l.Failed(l.label, at, err)
		return
	}
	l.Found(path, attr, target)
	if !attr.Mode.IsDir() || l.OneLevel || l.OneFileSystem && attr.Dev != l.dev {
		return
	}
	sub, err := OpenDir(d, e.Name, follow)
	if err != nil {
		l.Failed(l.label, at, err)
		return
	}
	defer sub.Close()
	l.directory(ctx, sub, Scope{Path: path, Lineage: in.Lineage.Child(attr.ID())}, at)
}

func (l *Lister) omit(omitted []Omission, at string) {
	for _, o := range omitted {
		if o.Err != ErrVolumeFile && o.Err != ErrUnsafe {
			l.Failed(l.label, vfs.Join(at, o.Name), o.Err)
		}
	}
}
