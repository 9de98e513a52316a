package trusted

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"

	"psync/internal/sys"
	"psync/internal/vfs"
)

// OpenFile is like [os.OpenFile], but returns a [vfs.UntrustedLinkError] rather than follow a symbolic link that
// another user may have planted, whether it is the last element of the path or an earlier one. It is for files that
// flags name: a program run by root that followed such links would write to any file that the links' owners choose, or
// show them the file's lines in messages.
func OpenFile(path string, flag int, perm fs.FileMode) (*os.File, error) {
	return openFile(path, flag, perm, false)
}

// OpenFileStrictly is like OpenFile, but follows no link of another user but root, wherever it is.
func OpenFileStrictly(path string, flag int, perm fs.FileMode) (*os.File, error) {
	return openFile(path, flag, perm, true)
}

func openFile(path string, flag int, perm fs.FileMode, strict bool) (*os.File, error) {
	fd, err := newWalk(vfs.OpenOptions{Strict: strict}).openFile(unix.AT_FDCWD, "", path, flag, perm)
	if pe, ok := errors.AsType[*fs.PathError](err); ok && !errors.As(err, new(*vfs.UntrustedLinkError)) {
		pe.Path = path // for the user, who may not know which link leads where
	}
	if err != nil {
		return nil, err
	}
	return os.NewFile(uintptr(fd), path), nil
}

// openFile opens the file at path. A relative path starts from the directory at, whose path in errors is from.
func (w *walk) openFile(at int, from, path string, flag int, perm fs.FileMode) (int, error) {
	dir, name := filepath.Split(path)
	if dir != "" {
		fd, unopened, err := w.openParent(at, from, dir)
		if err != nil {
			return -1, err
		}
		if fd != at {
			defer unix.Close(fd)
		}
		at, from = fd, joinPath(from, strings.TrimSuffix(dir, unopened))
		if name != "" {
			name = unopened + name
		}
	}
	switch {
	case path == "":
		return -1, vfs.PathError("open", path, unix.ENOENT)
	case name == "": // after a slash
		return -1, vfs.PathError("open", from, unix.EISDIR)
	}
	fd, err := sys.Openat(at, name, flag|unix.O_NOFOLLOW, vfs.UnixMode(perm))
	switch err {
	case unix.ELOOP, unix.EMLINK: // Linux and macOS, and FreeBSD, for a symbolic link
	case unix.EACCES: // Linux, for a link in a sticky directory if fs.protected_symlinks is on
	default:
		return fd, vfs.PathError("open", joinPath(from, name), err)
	}
	l, err := w.readLink(at, from, name, err)
	switch {
	case err != nil:
		return -1, err
	case l.magic: // as in /dev/fd, and behind /dev/stdout
		fd, err := sys.Openat(at, name, flag, vfs.UnixMode(perm))
		return fd, vfs.PathError("open", joinPath(from, name), err)
	}
	return w.openFile(at, from, l.target, flag, perm)
}

// openParent opens the directory dir, which a file is in. If dir may only be searched and this system can open
// directories only for reading, openParent opens the nearest directory above it that can be opened; unopened is the
// rest of dir.
func (w *walk) openParent(at int, from, dir string) (fd int, unopened string, err error) {
	fd, err = w.open(at, from, dir, false)
	up, denied := dir, err
	for errors.Is(err, fs.ErrPermission) && w.opensToRead() {
		if up, _ = filepath.Split(strings.TrimRight(up, "/")); up == "" && filepath.IsAbs(dir) {
			return -1, "", denied
		}
		if fd, err = at, nil; up != "" {
			fd, err = w.open(at, from, up, false)
		}
		if unopened = dir[len(up):]; err != nil || w.allSearchable(fd, unopened) {
			continue
		}
		if fd != at {
			unix.Close(fd)
		}
		return -1, "", denied
	}
	return fd, unopened, err
}

// allSearchable reports whether each element of a path is a directory that may be searched.
func (w *walk) allSearchable(at int, path string) bool {
	for i := range len(path) {
		if path[i] == '/' && !w.searchable(at, path[:i]) {
			return false
		}
	}
	return true
}
