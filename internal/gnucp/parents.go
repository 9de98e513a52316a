package gnucp

import (
	"io/fs"
	"strings"
	"syscall"

	"psync/internal/gnucp/entry"
	"psync/internal/gnucp/output"
	"psync/internal/localfs"
	"psync/internal/vfs"
)

// A parent is a directory that leads to an operand, made in the destination for --parents.
type parent struct {
	src, dst string
	attr     vfs.Attr     // of the source
	mode     *fs.FileMode // what the destination has to get back
	isNew    bool
}

// leadTo makes the directories that lead to src exist below the target, where they lead to dst. What
// is left to do for them when src is copied is left to protect.
func (w *worker) leadTo(src, dst string, known *entry.Knowledge) (ok bool, made []parent) {
	*known = entry.Unknown
	src = entry.StripSlashes(src)
	target := strings.TrimSuffix(dst, strings.TrimLeft(src, "/"))
	led := entry.DirName(dst)
	if len(led) <= len(strings.TrimRight(target, "/")) {
		return true, nil
	}
	if attr, err := localfs.Cwd.Stat(led, true); err == nil {
		if !attr.Mode.IsDir() {
			return w.out.Refuse("%s exists but is not a directory", led), nil
		}
		return true, nil
	}
	for i := firstElement(src); ; {
		end := strings.IndexByte(src[i:], '/')
		if end < 0 {
			return true, made
		}
		p := parent{src: src[:i+end], dst: target + strings.TrimLeft(src[:i+end], "/")}
		if made, ok = w.makeParent(p, made, known); !ok {
			return false, made
		}
		for i += end; i < len(src) && src[i] == '/'; i++ {
		}
	}
}

// firstElement returns where the first element of a path begins.
func firstElement(path string) int { return len(path) - len(strings.TrimLeft(path, "/")) }

// makeParent makes one directory, unless it exists, and adds it to those that protect has to deal with.
func (w *worker) makeParent(p parent, made []parent, known *entry.Knowledge) (_ []parent, ok bool) {
	now, err := localfs.Cwd.Stat(p.dst, true)
	missing := err != nil
	if missing || w.Preserve.Ownership || w.Preserve.Mode || w.Preserve.Timestamps {
		if p.attr, err = localfs.Cwd.Stat(p.src, true); err == nil && !p.attr.Mode.IsDir() {
			err = syscall.ENOTDIR
		}
		if err != nil {
			return made, w.out.Fail(err, "failed to get attributes of %s", p.src)
		}
		made = append(made, p)
	}
	switch {
	case !missing && !now.Mode.IsDir():
		return made, w.out.Refuse("%s exists but is not a directory", p.dst)
	case !missing:
		*known = entry.Unknown
		return made, true
	}
	*known = entry.Absent
	return made, w.mkdirParent(&made[len(made)-1])
}

// mkdirParent makes a directory that may be entered and written into.
func (w *worker) mkdirParent(p *parent) bool {
	p.isNew = true
	mode, omitted := w.Parent(p.attr.Mode)
	if err := localfs.Cwd.Mkdir(p.dst, mode); err != nil {
		return w.out.Fail(err, "cannot make directory %s", p.dst)
	}
	if w.Verbose {
		w.out.Say("%s -> %s\n", output.Plain(p.src), output.Plain(p.dst))
	}
	now, err := localfs.Cwd.Stat(p.dst, false)
	if err != nil {
		return w.out.Fail(err, "failed to get attributes of %s", p.dst)
	}
	if mode, ok := w.ParentBack(now.Mode, omitted, w.shared.Umask); ok {
		p.mode = &mode
	}
	if now.Mode&0o700 != 0o700 {
		if err := localfs.Cwd.Chmod(p.dst, now.Mode|0o700); err != nil {
			return w.out.Fail(err, "setting permissions for %s", p.dst)
		}
	}
	return true
}

// protect gives parents their attributes, the deepest first.
func (w *worker) protect(made []parent) bool {
	for i := len(made) - 1; i >= 0; i-- {
		if !w.protectOne(&made[i]) {
			return false
		}
	}
	return true
}

// protectOne gives a directory its attributes. A link may lead to it.
func (w *worker) protectOne(p *parent) bool {
	at := localfs.Cwd
	if w.Preserve.Timestamps {
		if err := at.Chtimes(p.dst, p.attr.Atime, p.attr.Mtime, true); err != nil {
			return w.out.Fail(err, "failed to preserve times for %s", p.dst)
		}
	}
	if w.Preserve.Ownership {
		if err := at.Lchown(p.dst, int(p.attr.UID), int(p.attr.GID)); err != nil {
			if !w.shared.MayIgnore(err) {
				return w.out.Fail(err, "failed to preserve ownership for %s", p.dst)
			}
			_ = at.Lchown(p.dst, -1, int(p.attr.GID)) // the user may be in that group
		}
	}
	switch {
	case w.Preserve.Mode:
		return w.shared.Directory(&entry.Copy{
			Src: entry.Place{At: localfs.Cwd, Name: p.src}, Dst: entry.Place{At: localfs.Cwd, Name: p.dst},
			Attr: p.attr, New: p.isNew, Out: w.out,
		})
	case p.mode != nil:
		if err := at.Chmod(p.dst, *p.mode); err != nil {
			return w.out.Fail(err, "failed to preserve permissions for %s", p.dst)
		}
	}
	return true
}
