// Package trusted opens paths one element at a time, following no symbolic link that another user may have planted.
package trusted

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"

	"psync/internal/localfs/stat"
	"psync/internal/sys"
	"psync/internal/vfs"
)

// OpenDir opens the directory that path leads to, and makes what o says of it. It examines the very link that it follows, so
// the link cannot be swapped in between. It does not make the target of a dangling symbolic link. The descriptor may only
// allow opening entries below it.
func OpenDir(path string, o vfs.OpenOptions) (fd int, err error) {
	if path == "" {
		return -1, vfs.PathError("open", path, unix.ENOENT)
	}
	return newWalk(o).open(unix.AT_FDCWD, "", path, o.Mkdir || o.MkdirAll)
}

// OpenDirAt is OpenDir for the entry called name of the directory dirfd, without options.
func OpenDirAt(dirfd int, name string) (fd int, err error) {
	return newWalk(vfs.OpenOptions{}).openElement(dirfd, "", name, false)
}

// maxLinks is how many symbolic links may be followed on one path, as on Linux.
const maxLinks = 40

// A walk is the state of opening one path.
type walk struct {
	vfs.OpenOptions
	search int // open flags for the directories on the path
	links  int // symbolic links followed so far
}

func newWalk(o vfs.OpenOptions) *walk {
	return &walk{OpenOptions: o, search: sys.OSearch | unix.O_DIRECTORY | unix.O_NOFOLLOW}
}

// open opens the directory at path with the flags w.search. A relative path starts from the
// directory at, which stays open; from is its path in errors.
func (w *walk) open(at int, from, path string, mayMkdir bool) (int, error) {
	opened := false
	if strings.HasPrefix(path, "/") {
		root, err := sys.Openat(unix.AT_FDCWD, "/", sys.OSearch|unix.O_DIRECTORY, 0)
		if err != nil {
			return -1, vfs.PathError("open", "/", err)
		}
		at, from, opened = root, "/", true
	}
	rest := strings.Trim(path, "/")
	unopened := "" // elements after at that may be searched, but not opened
	for rest != "" || !opened {
		var name string
		name, rest, _ = strings.Cut(rest, "/")
		rest = strings.TrimLeft(rest, "/")
		if name == "" || name == "." {
			if rest != "" {
				continue
			}
			if opened && unopened == "" {
				break
			}
			name = "."
		}
		next, err := w.openElement(at, from, unopened+name, mayMkdir && (w.MkdirAll || rest == ""))
		if errors.Is(err, fs.ErrPermission) && rest != "" && w.searchable(at, unopened+name) {
			unopened += name + "/"
			continue
		}
		if opened {
			unix.Close(at)
		}
		if err != nil {
			return -1, err
		}
		at, from, opened, unopened = next, joinPath(from, unopened+name), true, ""
	}
	return at, nil
}

// openElement opens one element of a path. If it is missing and may be made, openElement makes it first.
func (w *walk) openElement(at int, from, name string, mayMkdir bool) (int, error) {
	fd, err := sys.Openat(at, name, w.search, 0)
	if err == unix.ENOENT && mayMkdir && name != ".." {
		err = sys.IgnoringEINTR(func() error { return unix.Mkdirat(at, name, vfs.UnixMode(w.Perm)) })
		if err != nil && err != unix.EEXIST {
			return -1, vfs.PathError("mkdir", joinPath(from, name), err)
		}
		fd, err = sys.Openat(at, name, w.search, 0)
	}
	switch err {
	case nil:
		return fd, nil
	case unix.ENOTDIR, unix.ELOOP, unix.EMLINK: // Linux, macOS and FreeBSD for a symbolic link
		return w.follow(at, from, name, err)
	}
	return -1, vfs.PathError("open", joinPath(from, name), err)
}

// searchable reports whether name is a directory that may still be searched although it could
// not be opened, because this system opens directories for reading only.
func (w *walk) searchable(at int, name string) bool {
	if !w.opensToRead() {
		return false
	}
	var st unix.Stat_t
	return sys.Lstatat(at, name, &st) == nil && stat.Attr(&st).Mode.IsDir()
}

// opensToRead reports whether this system opens directories for reading only.
func (w *walk) opensToRead() bool { return w.search == unix.O_RDONLY|unix.O_DIRECTORY|unix.O_NOFOLLOW }

// follow opens the directory that a symbolic link leads to. If name is not a symbolic link, it
// returns notDir.
func (w *walk) follow(at int, from, name string, notDir error) (int, error) {
	l, err := w.readLink(at, from, name, notDir)
	if err != nil {
		return -1, err
	}
	if l.magic {
		fd, err := sys.Openat(at, name, w.search&^unix.O_NOFOLLOW, 0)
		return fd, vfs.PathError("open", joinPath(from, name), err)
	}
	return w.open(at, from, l.target, false)
}

// readLink reads a symbolic link that may be followed; a relative target starts from the directory at. If name is not a
// symbolic link, it returns notLink.
func (w *walk) readLink(at int, from, name string, notLink error) (symlink, error) {
	path := joinPath(from, name)
	l, err := readLink(at, name)
	if err == unix.EINVAL {
		err = notLink
	}
	if err != nil {
		return l, vfs.PathError("open", path, err)
	}
	if w.links++; w.links > maxLinks {
		return l, vfs.PathError("open", path, unix.ELOOP)
	}
	unopened, _ := filepath.Split(name)
	if !filepath.IsAbs(l.target) {
		l.target = unopened + l.target
	}
	if w.Insecure {
		return l, nil
	}
	var holder unix.Stat_t
	if err := sys.Lstatat(at, unopened+".", &holder); err != nil {
		return l, vfs.PathError("open", path, err)
	}
	if !trusted(l.attr, stat.Attr(&holder), uint32(os.Geteuid()), w.Strict) {
		return l, vfs.PathError("open", path, &vfs.UntrustedLinkError{Owner: l.attr.UID, Strict: w.Strict})
	}
	return l, nil
}

// A symlink is the result of readLink.
type symlink struct {
	attr   vfs.Attr
	target string
	magic  bool // only the kernel can follow it, like those in /proc
}

func joinPath(dir, name string) string {
	switch {
	case dir == "":
		return name
	case strings.HasSuffix(dir, "/"):
		return dir + name
	}
	return dir + "/" + name
}
