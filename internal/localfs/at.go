package localfs

import (
	"io/fs"
	"time"

	"golang.org/x/sys/unix"

	"psync/internal/localfs/stat"
	"psync/internal/sys"
	"psync/internal/vfs"
)

// An At is a directory that relative paths start from, as in the POSIX functions whose names end in "at". Unlike a name
// in a [vfs.Dir], a path may have many elements, and may lead through symbolic links and out of the directory. Modes
// are subject to the umask. Errors are *fs.PathError; none are marked as errors.ErrUnsupported.
type At struct{ dir *dir }

// MaxPath is the length in bytes, including the NUL at its end, of the longest path that system calls accept.
const MaxPath = unix.PathMax

// Cwd is the working directory of the process. Closing it does nothing.
var Cwd = At{&dir{fd: unix.AT_FDCWD}}

// OpenAt opens a directory that relative paths can start from. The caller closes it.
func (a At) OpenAt(path string, follow bool) (At, error) {
	fd, err := sys.Openat(a.dir.fd, path, unix.O_RDONLY|unix.O_DIRECTORY|nofollow(follow), 0)
	if err != nil {
		return At{}, vfs.PathError("open", path, err)
	}
	return At{&dir{fd: fd}}, nil
}

// SearchAt is OpenAt for a directory that need not be readable, where the system supports that. The result
// cannot be listed.
func (a At) SearchAt(path string, follow bool) (At, error) {
	fd, err := sys.Openat(a.dir.fd, path, sys.OSearch|unix.O_DIRECTORY|nofollow(follow), 0)
	if err != nil {
		return At{}, vfs.PathError("open", path, err)
	}
	return At{&dir{fd: fd}}, nil
}

// Peek is OpenAt that follows links and, if the user has permission for that, leaves the access times of listed
// directories unchanged.
func (a At) Peek(path string) (At, error) {
	fd, err := openToRead(a.dir.fd, path, unix.O_DIRECTORY, true)
	if err != nil {
		return At{}, vfs.PathError("open", path, err)
	}
	return At{&dir{fd: fd, noatime: true}}, nil
}

func nofollow(follow bool) int {
	if follow {
		return 0
	}
	return unix.O_NOFOLLOW
}

// Close closes the directory.
func (a At) Close() error {
	if a == Cwd {
		return nil
	}
	return a.dir.Close()
}

// ReadDir lists the directory; see [vfs.Dir].
func (a At) ReadDir(yield func([]vfs.Entry) error) error { return a.dir.ReadDir(yield) }

// Statfs describes the volume of the directory; see [vfs.Dir].
func (a At) Statfs() (vfs.Volume, error) { return a.dir.Statfs() }

// Caps returns what the directory offers; see [vfs.Dir].
func (a At) Caps() vfs.Caps { return a.dir.Caps() }

// HasDefaultACL reports whether the directory has a default ACL; see [vfs.Dir].
func (a At) HasDefaultACL() bool { return a.dir.HasDefaultACL() }

// Fstat returns the attributes of the directory itself, which need not be searchable. It must not be
// called on Cwd.
func (a At) Fstat() (vfs.Attr, error) { return vfs.Lstat(a.dir, ".") }

// Stat returns the attributes of the entry at path. It follows a symbolic link there only if
// follow is true.
func (a At) Stat(path string, follow bool) (vfs.Attr, error) {
	fstatat := sys.Lstatat
	if follow {
		fstatat = sys.Statat
	}
	var st unix.Stat_t
	if err := fstatat(a.dir.fd, path, &st); err != nil {
		return vfs.Attr{}, vfs.PathError("stat", path, err)
	}
	return stat.Attr(&st), nil
}

// Open opens a file for reading. If nonblock is true, it does not block, even for a fifo, and the caller must check that
// the file is regular. Otherwise a file that is not regular is read from start to end, whatever offsets are given.
func (a At) Open(path string, follow, nonblock bool) (vfs.File, error) {
	flags := unix.O_RDONLY | nofollow(follow)
	if nonblock {
		flags |= nonBlocking
	}
	return a.open("open", path, flags, 0)
}

// Create makes a file for writing. If exclusive is false, the file may exist, and path may be a
// symbolic link to it.
func (a At) Create(path string, perm fs.FileMode, exclusive bool) (vfs.File, error) {
	flags := unix.O_WRONLY | unix.O_CREAT
	if exclusive {
		flags |= unix.O_EXCL
	}
	return a.open("create", path, flags, perm)
}

// OpenCreate opens a file for writing and makes it if it does not exist; see [vfs.OpenCreate].
func (a At) OpenCreate(path string, perm fs.FileMode) (vfs.File, error) {
	return a.open("open", path, unix.O_WRONLY|unix.O_CREAT|unix.O_NOFOLLOW|nonBlocking, perm)
}

// CopyPlain copies the file name of src to the same name in a, if it is plain; see [vfs.Dir]. Modes are subject to the
// umask.
func (a At) CopyPlain(src At, name string, o *vfs.PlainOptions) (size int64, err error) {
	return a.dir.CopyPlain(src.dir, name, o)
}

// Rewrite opens an existing file for writing. A file that is not regular is written from start to
// end, whatever offsets are given.
func (a At) Rewrite(path string, truncate bool) (vfs.File, error) {
	flags := unix.O_WRONLY
	if truncate {
		flags |= unix.O_TRUNC
	}
	return a.open("open", path, flags, 0)
}

func (a At) open(op, path string, flags int, perm fs.FileMode) (vfs.File, error) {
	fd, err := sys.Openat(a.dir.fd, path, flags, vfs.UnixMode(perm))
	if err != nil {
		return nil, vfs.PathError(op, path, err)
	}
	return &file{fd: fd, name: path}, nil
}

// Mkdir makes a directory. The mode may also have sticky and set-id bits.
func (a At) Mkdir(path string, mode fs.FileMode) error {
	return call("mkdir", path, func() error { return unix.Mkdirat(a.dir.fd, path, vfs.UnixMode(mode)) })
}

// Symlink makes a symbolic link at path.
func (a At) Symlink(target, path string) error {
	return call("symlink", path, func() error { return unix.Symlinkat(target, a.dir.fd, path) })
}

// Readlink returns the target of a symbolic link.
func (a At) Readlink(path string) (string, error) { return a.dir.readlink(path) }

// Link makes newpath, relative to a, another name of oldpath, relative to old. If
// oldpath is a symbolic link, follow says whether to link to its target.
func (a At) Link(old At, oldpath, newpath string, follow bool) error {
	flags := 0
	if follow {
		flags = unix.AT_SYMLINK_FOLLOW
	}
	return call("link", newpath, func() error {
		return unix.Linkat(old.dir.fd, oldpath, a.dir.fd, newpath, flags)
	})
}

// Rename renames an entry within a, replacing any entry at newpath.
func (a At) Rename(oldpath, newpath string) error {
	return call("rename", oldpath, func() error { return unix.Renameat(a.dir.fd, oldpath, a.dir.fd, newpath) })
}

// Remove removes an entry that is not a directory.
func (a At) Remove(path string) error {
	return call("remove", path, func() error { return sys.Unlinkat(a.dir.fd, path, 0) })
}

// Writable returns nil if the user may write to the entry that path leads to, and otherwise the reason why not.
func (a At) Writable(path string) error {
	return call("access", path, func() error { return unix.Faccessat(a.dir.fd, path, unix.W_OK, unix.AT_EACCESS) })
}

// Chmod sets the mode of an entry that is not a symbolic link.
func (a At) Chmod(path string, mode fs.FileMode) error {
	return vfs.PathError("chmod", path, sys.Lchmodat(a.dir.fd, path, vfs.UnixMode(mode)))
}

// Mknod makes a fifo, socket or device; dev is the number of a device as stat(2) reports it.
func (a At) Mknod(path string, mode fs.FileMode, dev uint64) error {
	m, dev, err := stat.SpecialType(mode, dev)
	if err == nil {
		err = sys.Mknodat(a.dir.fd, path, m|vfs.UnixMode(mode), dev)
	}
	return vfs.PathError("mknod", path, err)
}

// Lchown sets the numeric owner and group of an entry; -1 leaves one as it is.
func (a At) Lchown(path string, uid, gid int) error {
	return call("chown", path, func() error { return unix.Fchownat(a.dir.fd, path, uid, gid, unix.AT_SYMLINK_NOFOLLOW) })
}

// Chtimes sets the access and modification time of the entry at path. It follows a
// symbolic link there only if follow is true.
func (a At) Chtimes(path string, atime, mtime time.Time, follow bool) error {
	times, err := timespecs(atime, mtime)
	if err != nil {
		return vfs.PathError("chtimes", path, err)
	}
	flags := unix.AT_SYMLINK_NOFOLLOW
	if follow {
		flags = 0
	}
	return call("chtimes", path, func() error { return unix.UtimesNanoAt(a.dir.fd, path, times[:], flags) })
}
