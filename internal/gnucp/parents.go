package gnucp

import (
	"io/fs"
	"slices"
	"strings"

	"psync/internal/gnucp/entry"
	"psync/internal/localfs"
	"psync/internal/output"
	"psync/internal/vfs"
	"psync/internal/walk"
)

// A parent is a directory in the destination that leads to an operand. It was made for --parents or existed
// already.
type parent struct {
	entry.Copy
	in   *walk.Node[bothSides]
	id   vfs.ID       // the ID of the destination, if this run made it
	mode *fs.FileMode // the mode that the destination gets in the end
}

// leadTo creates the directories below the target that lead to src, and returns the site of the operand. Once
// the operand is copied, protect finishes these directories.
func (l *commandLine) leadTo(src string, into target) (at site, known entry.Knowledge, made []*parent, ok bool) {
	stripped := entry.StripSlashes(src)
	path := strings.TrimLeft(stripped, "/")
	dst := entry.Join(into.path, stripped)
	last := len(path) - len(entry.LastElement(path))
	place := entry.Place{Prefix: dst[:len(dst)-len(path)+last], Name: path[last:]}
	in, names := into.at, "" // the directory that the new names are relative to, and their prefix
	if in == (localfs.At{}) {
		in, names = localfs.Cwd, dst[:len(dst)-len(path)]
	}
	if last == 0 { // the operand is directly in the target
		to := side{open: in}
		if path == "" || names != "" {
			to, place = split(dst)
		}
		return l.locate(src, to, place), entry.DestUnknown, nil, true
	}
	dir := names + strings.TrimRight(path[:last], "/")
	if attr, err := in.Stat(dir, true); err == nil {
		if !attr.Mode.IsDir() {
			return at, known, nil, l.out.Refuse("%s exists but is not a directory", entry.DirName(dst))
		}
		to := side{in: in, name: dir, path: entry.DirName(dst)}
		return l.locate(src, to, place), entry.DestUnknown, nil, true
	}
	root := newContainer(nil, side{open: localfs.Cwd}, side{open: in})
	name := entry.LastElement(src)
	at = site{node: &root.Node, src: entry.Place{Prefix: src[:len(src)-len(name)], Name: name}, dst: place}
	if isDot(name) { // see split
		_, at.src = byPath(src)
	}
	made, known, ok = l.makeParents(&at, stripped, dst[:len(dst)-len(path)], names)
	return at, known, made, ok
}

// makeParents makes the directories that lead to path, and moves a site there. Once the operand is copied,
// protect finishes these directories. prefix is the path of the target in messages; names is the prefix of the
// names in the target.
func (l *commandLine) makeParents(at *site, path, prefix, names string) (made []*parent, known entry.Knowledge, ok bool) {
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
			Out: l.out,
		}}
		if i == root && names != "" {
			p.Dst = entry.Place{Name: names + path[i:end]}
		}
		if known, ok = l.makeParent(p); !ok {
			return made, known, false
		}
		if p.Attr.Mode.IsDir() {
			made = append(made, p)
		}
		c := newContainer(at.node, side{name: p.Src.Name, path: p.Src.String()}, side{name: p.Dst.Name, path: p.Dst.String(), nofollow: p.New})
		c.identity.from, c.identity.to = p.Attr.ID(), p.id
		l.dirs.Retain(&c.Node, 1)
		at.node = &c.Node
		for i = end; i < len(path) && path[i] == '/'; i++ {
		}
	}
}

// makeParent makes one directory, unless it exists. It looks up attributes if protect will need them.
func (l *commandLine) makeParent(p *parent) (known entry.Knowledge, ok bool) {
	in, ok := l.use(p.in, l.out)
	if !ok {
		return entry.DestUnknown, false
	}
	defer l.dirs.Done(p.in)
	p.Locate(in.from, in.to)
	now, err := p.Dst.At.Stat(p.Dst.Name, true)
	missing := err != nil
	if missing || l.Preserve.Ownership || l.Preserve.Mode || l.Preserve.Timestamps {
		if p.Attr, err = statDirectory(p.Src); err != nil {
			return entry.DestUnknown, l.out.Fail(err, "failed to get attributes of %s", p.Src)
		}
	}
	switch {
	case !missing && !now.Mode.IsDir():
		return entry.DestUnknown, l.out.Refuse("%s exists but is not a directory", p.Dst)
	case !missing:
		return entry.DestUnknown, true
	}
	return entry.DestAbsent, l.mkdirParent(p)
}

// statDirectory opens a directory by its name and returns the attributes of the open directory. If opening
// mounts a file system there, they differ from the attributes that stat(2) returned before.
func statDirectory(p entry.Place) (vfs.Attr, error) {
	at, err := p.At.SearchAt(p.Name, true)
	if err != nil {
		return vfs.Attr{}, err
	}
	defer at.Close()
	return at.Fstat()
}

// mkdirParent makes a directory that the user may enter and write into.
func (l *commandLine) mkdirParent(p *parent) bool {
	p.New = true
	mode, omitted := l.Parent(p.Attr.Mode)
	if err := p.Dst.At.Mkdir(p.Dst.Name, mode); err != nil {
		return l.out.Fail(err, "cannot make directory %s", p.Dst)
	}
	if l.Verbose {
		l.out.Say("%s -> %s\n", output.Plain(p.Src.String()), output.Plain(p.Dst.String()))
	}
	now, err := p.Dst.At.Stat(p.Dst.Name, false)
	if err != nil {
		return l.out.Fail(err, "failed to get attributes of %s", p.Dst)
	}
	p.id = now.ID()
	if mode, ok := l.ParentBack(now.Mode, omitted, l.shared.Umask); ok {
		p.mode = &mode
	}
	if now.Mode&0o700 != 0o700 {
		if err := p.Dst.At.Chmod(p.Dst.Name, now.Mode|0o700); err != nil {
			return l.out.Fail(err, "setting permissions for %s", p.Dst)
		}
	}
	return true
}

// protect gives parents their attributes, deepest first.
func (l *commandLine) protect(made []*parent) bool {
	for _, p := range slices.Backward(made) {
		if !l.protectOne(p) {
			return false
		}
	}
	return true
}

// protectOne gives a directory its attributes. If the directory existed before, a link may lead to it.
func (l *commandLine) protectOne(p *parent) bool {
	in, ok := l.use(p.in, l.out)
	if !ok {
		return false
	}
	defer l.dirs.Done(p.in)
	p.Locate(in.from, in.to)
	at, name := p.Dst.At, p.Dst.Name
	if l.Preserve.Timestamps {
		if err := at.Chtimes(name, p.Attr.Atime, p.Attr.Mtime, !p.New); err != nil {
			return l.out.Fail(err, "failed to preserve times for %s", p.Dst)
		}
	}
	if l.Preserve.Ownership {
		if err := at.Lchown(name, int(p.Attr.UID), int(p.Attr.GID)); err != nil {
			if !l.shared.MayIgnore(err) {
				return l.out.Fail(err, "failed to preserve ownership for %s", p.Dst)
			}
			_ = at.Lchown(name, -1, int(p.Attr.GID)) // the user may be in that group
		}
	}
	switch {
	case l.Preserve.Mode:
		return l.shared.Directory(&p.Copy)
	case p.mode != nil:
		if err := at.Chmod(name, *p.mode); err != nil {
			return l.out.Fail(err, "failed to preserve permissions for %s", p.Dst)
		}
	}
	return true
}
