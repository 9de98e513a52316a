package sftpfs

import (
	"errors"
	"io/fs"
	"path"
	"strings"
	"syscall"

	"psync/internal/vfs"
)

// maxLinks is how many symbolic links are followed on one path, the same as on Linux.
const maxLinks = 40

// A walk follows one path element by element, because not every server resolves links when asked for a real path.
type walk struct {
	s        *session
	o        vfs.OpenOptions
	distrust bool // examine symbolic links
	links    int  // followed so far
}

// follow returns the path, without links and dots, of what p leads to; p may be relative to the directory at. If end is
// true, p is the end of the path that is walked. If mkdir is true, missing elements are made as the options say.
func (w *walk) follow(at, p string, end, mkdir bool) (string, attrs, error) {
	if strings.HasPrefix(p, "/") {
		at = "/"
	}
	a, err := w.look(at, false)
	if p == "" {
		err = syscall.ENOENT
	}
	for rest := p; err == nil && rest != ""; {
		var elem string
		elem, rest, _ = strings.Cut(rest, "/")
		switch {
		case !a.isDir():
			err = syscall.ENOTDIR
		case elem == "" || elem == ".":
		case elem == "..":
			at = path.Dir(at)
			a, err = w.look(at, false)
		case strings.Contains(elem, "\x00"):
			err = syscall.EINVAL
		default:
			last := strings.Trim(rest, "/") == ""
			at, a, err = w.step(at, a.attrs, elem, last && end, mkdir && (w.o.MkdirAll || last))
		}
	}
	if err == nil && strings.HasSuffix(p, "/") && !a.isDir() {
		err = syscall.ENOTDIR
	}
	if _, ok := errors.AsType[*fs.PathError](err); err != nil && !ok {
		err = pathError("open", at, err)
	}
	return at, a.attrs, err
}

// look returns an entry on the path. An entry that another path led through is assumed to be unchanged unless this Host
// has changed it; only the last element is always asked for.
func (w *walk) look(p string, last bool) (known, error) {
	if k, ok := w.s.cache.get(p); ok && !last && !k.stale && !(k.isLink() && k.target == "") {
		return k, nil
	}
	begun := w.s.cache.begin()
	k, err := w.s.look(p)
	if err == nil && k.isLink() {
		k.target, err = w.s.readlink(p)
		w.s.cache.learn(p, begun, k)
	}
	return k, err
}

// step returns what an entry of the directory at leads to, and makes it if it is missing and mkdir is true.
func (w *walk) step(at string, holder attrs, name string, last, mkdir bool) (string, known, error) {
	next := path.Join(at, name)
	a, err := w.look(next, last)
	if errors.Is(err, fs.ErrNotExist) && mkdir {
		if err = w.s.mkdir(next, w.o.Perm, true); err == nil || errors.Is(err, fs.ErrExist) {
			a, err = w.look(next, last)
		}
	}
	if err != nil || !a.isLink() {
		return next, a, err
	}
	if w.links++; w.links > maxLinks {
		return next, a, syscall.ELOOP
	}
	if w.distrust && !w.trusted(a.attrs, holder) {
		return next, a, &vfs.UntrustedLinkError{Owner: a.uid, Strict: w.o.Strict}
	}
	p, found, err := w.follow(at, a.target, last, false)
	return p, known{attrs: found}, err
}

// trusted reports whether only this user or root can have planted a symbolic link, given the attributes of the
// directory that holds it.
func (w *walk) trusted(link, holder attrs) bool {
	ours := func(owner uint32) bool { return owner == 0 || int(owner) == w.s.user.UID }
	return ours(link.uid) || !w.o.Strict && ours(holder.uid) && holder.mode&0o022 == 0
}
