package sftpfs

import (
	"errors"
	"io/fs"
	"path"
	"strings"
	"syscall"

	"psync/internal/vfs"
)

// maxLinks is how many symbolic links are followed on one path, as many as on Linux.
const maxLinks = 40

// A walk follows one path, element by element: not every server resolves links when it is asked for a real path.
type walk struct {
	s        *session
	o        vfs.OpenOptions
	distrust bool // examine symbolic links
	links    int  // followed so far
}

// follow returns the path without links and dots of what p, which may be relative to the directory at, leads
// to. If mkdir is true, it makes what is missing, as the options say.
func (w *walk) follow(at, p string, mkdir bool) (string, attrs, error) {
	if strings.HasPrefix(p, "/") {
		at = "/"
	}
	a, err := w.s.lstat(at)
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
			a, err = w.s.lstat(at)
		case strings.Contains(elem, "\x00"):
			err = syscall.EINVAL
		default:
			at, a, err = w.step(at, a, elem, mkdir && (w.o.MkdirAll || strings.Trim(rest, "/") == ""))
		}
	}
	if err == nil && strings.HasSuffix(p, "/") && !a.isDir() {
		err = syscall.ENOTDIR
	}
	if _, ok := errors.AsType[*fs.PathError](err); err != nil && !ok {
		err = pathError("open", at, err)
	}
	return at, a, err
}

// step returns what an entry of the directory at leads to, and makes that if it may and must.
func (w *walk) step(at string, holder attrs, name string, mkdir bool) (string, attrs, error) {
	next := path.Join(at, name)
	a, err := w.s.lstat(next)
	if errors.Is(err, fs.ErrNotExist) && mkdir {
		if err = w.s.mkdir(next, w.o.Perm, true); err == nil || errors.Is(err, fs.ErrExist) {
			a, err = w.s.lstat(next)
		}
	}
	if err != nil || !a.isLink() {
		return next, a, err
	}
	if w.links++; w.links > maxLinks {
		return next, a, syscall.ELOOP
	}
	if w.distrust && !w.s.trusted(a, holder) {
		return next, a, &vfs.UntrustedLinkError{Owner: a.uid}
	}
	target, err := w.s.readlink(next)
	if err != nil {
		return next, a, err
	}
	return w.follow(at, target, false)
}

// trusted reports whether no other user than this one and root can have planted a symbolic link, given
// the attributes of the directory that holds it.
func (s *session) trusted(link, holder attrs) bool {
	ours := func(owner uint32) bool { return owner == 0 || int(owner) == s.user.UID }
	return ours(link.uid) || ours(holder.uid) && holder.mode&0o022 == 0
}
