package gnucp

import (
	"context"
	"io/fs"
	"slices"
	"strings"

	"psync/internal/gnucp/entry"
	"psync/internal/gnucp/output"
	"psync/internal/localfs"
	"psync/internal/vfs"
	"psync/internal/walk"
)

// A parent is a directory that leads to an operand, made in the destination for --parents, or there already.
type parent struct {
	entry.Copy
	in   *walk.Node[bothSides]
	id   vfs.ID       // of the destination, if that was made
	mode *fs.FileMode // what the destination has to get back
}

// withParents copies src, and the directories that lead to it.
func (w *worker) withParents(ctx context.Context, src string, into target) bool {
	stripped := entry.StripSlashes(src)
	path := strings.TrimLeft(stripped, "/")
	dst := entry.Join(into.path, stripped)
	last := len(path) - len(entry.LastElement(path))
	place := entry.Place{Prefix: dst[:len(dst)-len(path)+last], Name: path[last:]}
	in, names := into.at, "" // what they start from, and begin with
	if in == (localfs.At{}) {
		in, names = localfs.Cwd, dst[:len(dst)-len(path)]
	}
	if last == 0 { // no directory leads there
		to := side{open: in}
		if path == "" || names != "" {
			to, place = split(dst)
		}
		return w.operand(ctx, w.locate(src, to, place), entry.Unknown, true)
	}
	dir := names + strings.TrimRight(path[:last], "/")
	if attr, err := in.Stat(dir, true); err == nil {
		if !attr.Mode.IsDir() {
			return w.out.Refuse("%s exists but is not a directory", entry.DirName(dst))
		}
		to := side{in: in, name: dir, path: entry.DirName(dst)}
		return w.operand(ctx, w.locate(src, to, place), entry.Unknown, true)
	}
	root := newContainer(nil, side{open: localfs.Cwd}, side{open: in})
	at := site{node: &root.Node, src: entry.Place{Prefix: src[:len(src)-len(entry.LastElement(src))], Name: entry.LastElement(src)}, dst: place}
	made, known, ok := w.makeParents(&at, stripped, dst[:len(dst)-len(path)], names)
	if !ok {
		return false
	}
	ok = w.operand(ctx, at, known, true)
	return w.protect(made) && ok
}

// makeParents makes the directories that lead to path, and moves a site there. What is left to do for them when the operand is
// copied is left to protect. prefix is what people call the target, names what names there begin with.
func (w *worker) makeParents(at *site, path, prefix, names string) (made []*parent, known entry.Knowledge, ok bool) {
	root := len(path) - len(strings.TrimLeft(path, "/"))
	for start, i := 0, root; ; start = i {
		n := strings.IndexByte(path[i:], '/')
		if n < 0 {
			return made, known, true
		}
		end := i + n
		p := &parent{in: at.node, Copy: entry.Copy{
			Src: entry.Place{Prefix: path[:start], Name: path[start:end]},
			Dst: entry.Place{Prefix: prefix + path[root:i], Name: path[i:end]},
			Out: w.out,
		}}
		if i == root && names != "" {
			p.Dst = entry.Place{Name: names + path[i:end]}
		}
		if known, ok = w.makeParent(p); !ok {
			return made, known, false
		}
		if p.Attr.Mode.IsDir() {
			made = append(made, p)
		}
		c := newContainer(at.node, side{name: p.Src.Name, path: p.Src.String()}, side{name: p.Dst.Name, path: p.Dst.String(), nofollow: p.New})
		c.identity.from, c.identity.to = p.Attr.ID(), p.id
		w.dirs.Retain(&c.Node, 1)
		at.node = &c.Node
		for i = end; i < len(path) && path[i] == '/'; i++ {
		}
	}
}

// makeParent makes one directory, unless it exists. It looks up attributes if protect will have something to do.
func (w *worker) makeParent(p *parent) (known entry.Knowledge, ok bool) {
	in, ok := w.use(p.in, w.out)
	if !ok {
		return entry.Unknown, false
	}
	defer w.dirs.Done(p.in)
	p.Locate(in.from, in.to)
	now, err := p.Dst.At.Stat(p.Dst.Name, true)
	missing := err != nil
	if missing || w.Preserve.Ownership || w.Preserve.Mode || w.Preserve.Timestamps {
		if p.Attr, err = statDirectory(p.Src); err != nil {
			return entry.Unknown, w.out.Fail(err, "failed to get attributes of %s", p.Src)
		}
	}
	switch {
	case !missing && !now.Mode.IsDir():
		return entry.Unknown, w.out.Refuse("%s exists but is not a directory", p.Dst)
	case !missing:
		return entry.Unknown, true
	}
	return entry.Absent, w.mkdirParent(p)
}

// statDirectory returns the attributes of a directory, which are those of what is opened by its name: if nothing is mounted
// there before that, they are not what stat(2) tells.
func statDirectory(p entry.Place) (vfs.Attr, error) {
	at, err := p.At.SearchAt(p.Name, true)
	if err != nil {
		return vfs.Attr{}, err
	}
	defer at.Close()
	return at.Fstat()
}

// mkdirParent makes a directory that may be entered and written into.
func (w *worker) mkdirParent(p *parent) bool {
	p.New = true
	mode, omitted := w.Parent(p.Attr.Mode)
	if err := p.Dst.At.Mkdir(p.Dst.Name, mode); err != nil {
		return w.out.Fail(err, "cannot make directory %s", p.Dst)
	}
	if w.Verbose {
		w.out.Say("%s -> %s\n", output.Plain(p.Src.String()), output.Plain(p.Dst.String()))
	}
	now, err := p.Dst.At.Stat(p.Dst.Name, false)
	if err != nil {
		return w.out.Fail(err, "failed to get attributes of %s", p.Dst)
	}
	p.id = now.ID()
	if mode, ok := w.ParentBack(now.Mode, omitted, w.shared.Umask); ok {
		p.mode = &mode
	}
	if now.Mode&0o700 != 0o700 {
		if err := p.Dst.At.Chmod(p.Dst.Name, now.Mode|0o700); err != nil {
			return w.out.Fail(err, "setting permissions for %s", p.Dst)
		}
	}
	return true
}

// protect gives parents their attributes, the deepest first.
func (w *worker) protect(made []*parent) bool {
	for _, p := range slices.Backward(made) {
		if !w.protectOne(p) {
			return false
		}
	}
	return true
}

// protectOne gives a directory its attributes. A link may lead to one that was there.
func (w *worker) protectOne(p *parent) bool {
	in, ok := w.use(p.in, w.out)
	if !ok {
		return false
	}
	defer w.dirs.Done(p.in)
	p.Locate(in.from, in.to)
	at, name := p.Dst.At, p.Dst.Name
	if w.Preserve.Timestamps {
		if err := at.Chtimes(name, p.Attr.Atime, p.Attr.Mtime, !p.New); err != nil {
			return w.out.Fail(err, "failed to preserve times for %s", p.Dst)
		}
	}
	if w.Preserve.Ownership {
		if err := at.Lchown(name, int(p.Attr.UID), int(p.Attr.GID)); err != nil {
			if !w.shared.MayIgnore(err) {
				return w.out.Fail(err, "failed to preserve ownership for %s", p.Dst)
			}
			_ = at.Lchown(name, -1, int(p.Attr.GID)) // the user may be in that group
		}
	}
	switch {
	case w.Preserve.Mode:
		return w.shared.Directory(&p.Copy)
	case p.mode != nil:
		if err := at.Chmod(name, *p.mode); err != nil {
			return w.out.Fail(err, "failed to preserve permissions for %s", p.Dst)
		}
	}
	return true
}
