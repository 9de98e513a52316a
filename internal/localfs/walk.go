package localfs

import (
	"errors"
	"io/fs"
	"os"
	"strings"

	"golang.org/x/sys/unix"

	"psync/internal/sys"
	"psync/internal/vfs"
)

// A Walker opens directories by path, one element after the other. Unlike [Open] it
// refuses with an [UntrustedLinkError] to follow a symbolic link that another user may
// have planted, wherever on the path the link is. What it examines is what it opens, so
// that nothing can be swapped in between. Of the directories that it opens,
// FollowDir follows the same rule.
type Walker struct {
	Insecure bool // follow every link
	Make     bool // make the last element if it is missing
	MakeAll  bool // make all elements that are missing
	Perm     fs.FileMode
}

// Open opens the directory at path. A missing directory that a symbolic link leads to is not made.
func (w Walker) Open(path string) (vfs.Dir, error) {
	if path == "" {
		return nil, pathError("open", path, unix.ENOENT)
	}
	fd, err := w.walk().open(unix.AT_FDCWD, "", path, w.Make || w.MakeAll)
	if err != nil {
		return nil, err
	}
	return listable(fd, path, false, !w.Insecure)
}

// listable opens the directory that fd, which it closes, can only be used to go on from.
func listable(fd int, path string, noatime, checksLinks bool) (vfs.Dir, error) {
	defer unix.Close(fd)
	listed, err := openToRead(fd, ".", unix.O_DIRECTORY, noatime)
	if err != nil {
		return nil, pathError("open", path, err)
	}
	return &dir{fd: listed, noatime: noatime, checksLinks: checksLinks}, nil
}

// maxLinks is how many symbolic links one path may lead through, as on Linux.
const maxLinks = 40

// A walk is the state of opening one path.
type walk struct {
	Walker
	search int // flags to open a directory to go on from
	links  int // followed so far
}

func (w Walker) walk() *walk {
	return &walk{Walker: w, search: sys.OSearch | unix.O_DIRECTORY | unix.O_NOFOLLOW}
}

// open opens the directory at path, to go on from there. A relative path starts from the
// directory at, called from in errors, which stays open.
func (w *walk) open(at int, from, path string, mayMake bool) (int, error) {
	opened := false
	if strings.HasPrefix(path, "/") {
		root, err := sys.Openat(unix.AT_FDCWD, "/", sys.OSearch|unix.O_DIRECTORY, 0)
		if err != nil {
			return -1, pathError("open", "/", err)
		}
		at, from, opened = root, "/", true
	}
	rest := strings.Trim(path, "/")
	passed := "" // directories since at that may not be opened
	for rest != "" || !opened {
		var name string
		name, rest, _ = strings.Cut(rest, "/")
		rest = strings.TrimLeft(rest, "/")
		if name == "" || name == "." {
			if rest != "" {
				continue
			}
			if opened && passed == "" {
				break
			}
			name = "."
		}
		next, err := w.element(at, from, passed+name, mayMake && (w.MakeAll || rest == ""))
		if errors.Is(err, fs.ErrPermission) && rest != "" && w.passable(at, passed+name) {
			passed += name + "/"
			continue
		}
		if opened {
			unix.Close(at)
		}
		if err != nil {
			return -1, err
		}
		at, from, opened, passed = next, joinPath(from, passed+name), true, ""
	}
	return at, nil
}

// element opens one element of a path.
func (w *walk) element(at int, from, name string, mayMake bool) (int, error) {
	fd, err := sys.Openat(at, name, w.search, 0)
	if err == unix.ENOENT && mayMake && name != ".." {
		err = sys.IgnoringEINTR(func() error { return unix.Mkdirat(at, name, unixMode(w.Perm)) })
		if err != nil && err != unix.EEXIST {
			return -1, pathError("mkdir", joinPath(from, name), err)
		}
		fd, err = sys.Openat(at, name, w.search, 0)
	}
	switch err {
	case nil:
		return fd, nil
	case unix.ENOTDIR, unix.ELOOP, unix.EMLINK: // what the systems say of a symbolic link
		return w.follow(at, from, name, err)
	}
	return -1, pathError("open", joinPath(from, name), err)
}

// passable reports whether name is a directory that could not be opened only because the
// system opens none that is not readable. It may be searched nevertheless.
func (w *walk) passable(at int, name string) bool {
	if w.search != unix.O_RDONLY|unix.O_DIRECTORY|unix.O_NOFOLLOW {
		return false
	}
	var st unix.Stat_t
	return sys.Lstatat(at, name, &st) == nil && attr(&st).Mode.IsDir()
}

// follow opens the directory that a symbolic link leads to. If name is no link, it
// returns the error notDir.
func (w *walk) follow(at int, from, name string, notDir error) (int, error) {
	path := joinPath(from, name)
	l, err := readLink(at, name)
	if err == unix.EINVAL {
		err = notDir
	}
	if err != nil {
		return -1, pathError("open", path, err)
	}
	if w.links++; w.links > maxLinks {
		return -1, pathError("open", path, unix.ELOOP)
	}
	if !w.Insecure {
		holder, err := (&dir{fd: at}).holder()
		if err != nil {
			return -1, pathError("open", path, err)
		}
		if !trusted(l.attr, holder, uint32(os.Geteuid())) {
			return -1, pathError("open", path, &UntrustedLinkError{Owner: l.attr.UID})
		}
	}
	if l.magic {
		fd, err := sys.Openat(at, name, w.search&^unix.O_NOFOLLOW, 0)
		return fd, pathError("open", path, err)
	}
	return w.open(at, from, l.target, false)
}

// holder returns the attributes of d, which may be the working directory.
func (d *dir) holder() (vfs.Attr, error) {
	var st unix.Stat_t
	var err error
	if d.fd == unix.AT_FDCWD {
		err = sys.Lstatat(d.fd, ".", &st)
	} else {
		err = sys.Fstat(d.fd, &st)
	}
	return attr(&st), err
}

// A symlink is what a symbolic link was found to be.
type symlink struct {
	attr   vfs.Attr
	target string
	magic  bool // only the kernel knows where it leads, as with those in /proc
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
