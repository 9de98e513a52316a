// Package localfs implements the interfaces of package vfs for the local system with directory descriptors.
//
// Every call is relative to the descriptor of an open directory, and none
// follows a symbolic link except Stat, OpenDir with Follow, and OpenFile with ReadFollow. New entries have exactly the
// permissions asked for only if the process has no umask: see [Host.ClearUmask].
package localfs

import (
	"errors"
	"io/fs"
	"strings"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"

	"psync/internal/localfs/stat"
	"psync/internal/localfs/trusted"
	"psync/internal/sys"
	"psync/internal/vfs"
)

// Open opens the directory that path leads to, following symbolic links. It is Host{}.Open without options.
func Open(path string) (vfs.Dir, error) { return Host{}.Open(path, vfs.OpenOptions{}) }

// Open implements [vfs.Host].
func (Host) Open(path string, o vfs.OpenOptions) (vfs.Dir, error) {
	if o.Trusted {
		fd, err := trusted.OpenDir(path, o)
		if err != nil {
			return nil, err
		}
		return listable(fd, path, o.Noatime, !o.Insecure)
	}
	fd, err := openToRead(unix.AT_FDCWD, path, unix.O_DIRECTORY, o.Noatime)
	if err != nil {
		return nil, vfs.PathError("open", path, err)
	}
	return &dir{fd: fd, noatime: o.Noatime}, nil
}

// listable opens for reading the directory that fd refers to, and closes fd, which may only allow
// opening entries below it.
func listable(fd int, path string, noatime, checksLinks bool) (vfs.Dir, error) {
	defer unix.Close(fd)
	listed, err := openToRead(fd, ".", unix.O_DIRECTORY, noatime)
	if err != nil {
		return nil, vfs.PathError("open", path, err)
	}
	return &dir{fd: listed, noatime: noatime, checksLinks: checksLinks}, nil
}

// openToRead opens an entry for reading. Only the owner may request that access times stay unchanged, so openToRead
// tries again without that.
func openToRead(dirfd int, name string, flags int, noatime bool) (int, error) {
	if noatime && sys.ONoatime != 0 {
		if fd, err := sys.Openat(dirfd, name, unix.O_RDONLY|sys.ONoatime|flags, 0); err != unix.EPERM {
			return fd, err
		}
	}
	return sys.Openat(dirfd, name, unix.O_RDONLY|flags, 0)
}

// dir implements [vfs.Dir].
type dir struct {
	vfs.UnsupportedDir
	fd int
	//lint:ignore U1000 where package os lists, it does so by a descriptor of its own
	listed      atomic.Bool // the descriptor's own position has been used
	noatime     bool        // reading leaves access times unchanged, where that is permitted
	checksLinks bool        // OpenDir with Follow refuses links that another user may have planted
}

// check returns an error for names that would leave the directory.
func check(op, name string) error {
	if name == "" || name == ".." || strings.IndexByte(name, '/') >= 0 {
		return vfs.PathError(op, name, unix.EINVAL)
	}
	return nil
}

// checkEntry is check that also rejects ".".
func checkEntry(op, name string) error {
	if name == "." {
		return vfs.PathError(op, name, unix.EINVAL)
	}
	return check(op, name)
}

// call makes a system call, and wraps its error.
func call(op, name string, f func() error) error {
	return vfs.PathError(op, name, sys.IgnoringEINTR(f))
}

func (d *dir) Caps() vfs.Caps { return caps }

// callOn is call for an entry, whose name it checks first.
func callOn(op, name string, f func() error) error {
	if err := checkEntry(op, name); err != nil {
		return err
	}
	return call(op, name, f)
}

// Statx implements [vfs.Dir].
func (d *dir) Statx(name string, want vfs.StatxWant) (vfs.Attr, error) {
	switch want {
	case vfs.StatxID:
		return d.identify(name)
	case vfs.StatxFresh:
		return d.lstatFresh(name)
	case vfs.StatxFollow:
		return d.stat("stat", name, true)
	}
	return d.stat("lstat", name, false)
}

func (d *dir) stat(op, name string, follow bool) (vfs.Attr, error) {
	if err := check(op, name); err != nil {
		return vfs.Attr{}, err
	}
	var st unix.Stat_t
	var err error
	switch {
	case name == ".":
		err = sys.Fstat(d.fd, &st)
	case follow:
		err = sys.Statat(d.fd, name, &st)
	default:
		err = sys.Lstatat(d.fd, name, &st)
	}
	if err != nil {
		return vfs.Attr{}, vfs.PathError(op, name, err)
	}
	return stat.Attr(&st), nil
}

func (d *dir) OpenDir(name string, how vfs.Resolve) (vfs.Dir, error) {
	if how == vfs.Parent {
		name = ".."
	} else if err := checkEntry("open", name); err != nil {
		return nil, err
	}
	flags := unix.O_DIRECTORY
	switch {
	case how == vfs.NoXDev:
		return d.openDirWithin(name)
	case how == vfs.Follow && d.checksLinks:
		return d.followTrusted(name)
	case how != vfs.Follow:
		flags |= unix.O_NOFOLLOW
	}
	fd, err := openToRead(d.fd, name, flags, d.noatime)
	if err != nil {
		return nil, vfs.PathError("open", name, err)
	}
	return &dir{fd: fd, noatime: d.noatime, checksLinks: d.checksLinks}, nil
}

// followTrusted follows no link that another user may have planted.
func (d *dir) followTrusted(name string) (vfs.Dir, error) {
	fd, err := trusted.OpenDirAt(d.fd, name)
	if err != nil {
		return nil, err
	}
	return listable(fd, name, d.noatime, d.checksLinks)
}

// nonBlocking are the flags for opening what should be a regular file: opening a fifo that has replaced it
// must not block, and a terminal must not become the controlling terminal.
const nonBlocking = unix.O_NONBLOCK | unix.O_NOCTTY

func (d *dir) OpenFile(name string, mode vfs.OpenMode, perm fs.FileMode) (vfs.File, error) {
	switch mode {
	case vfs.ReadOnly:
		return d.openRead(name, unix.O_NOFOLLOW)
	case vfs.ReadFollow:
		return d.openRead(name, 0)
	case vfs.ReadWrite:
		return d.openFile("open", name, unix.O_RDWR|nonBlocking, 0)
	case vfs.Create:
		return d.openFile("create", name, unix.O_WRONLY|unix.O_CREAT|unix.O_EXCL, perm)
	case vfs.OpenCreate:
		return d.openFile("create", name, unix.O_WRONLY|unix.O_CREAT|nonBlocking, perm)
	}
	return nil, errors.ErrUnsupported
}

// openRead opens a file for reading.
func (d *dir) openRead(name string, flags int) (vfs.File, error) {
	if err := checkEntry("open", name); err != nil {
		return nil, err
	}
	fd, err := openToRead(d.fd, name, flags|nonBlocking, d.noatime)
	if err != nil {
		return nil, vfs.PathError("open", name, err)
	}
	return &file{fd: fd, name: name}, nil
}

func (d *dir) openFile(op, name string, flags int, perm fs.FileMode) (vfs.File, error) {
	if err := checkEntry(op, name); err != nil {
		return nil, err
	}
	fd, err := sys.Openat(d.fd, name, flags|unix.O_NOFOLLOW, uint32(perm.Perm()))
	if err != nil {
		return nil, vfs.PathError(op, name, err)
	}
	return &file{fd: fd, name: name}, nil
}

// Make implements [vfs.Dir]. The number of a device is the one that stat(2) reports.
func (d *dir) Make(name string, s vfs.Spec) error {
	if err := checkEntry(s.Op(), name); err != nil {
		return err
	}
	switch s.Mode.Type() {
	case fs.ModeDir:
		return At{d}.Mkdir(name, s.Mode.Perm())
	case fs.ModeSymlink:
		return At{d}.Symlink(s.Target, name)
	}
	return At{d}.Mknod(name, s.Mode.Type()|s.Mode.Perm(), s.Dev)
}

func (d *dir) Readlink(name string) (string, error) {
	if err := checkEntry("readlink", name); err != nil {
		return "", err
	}
	return d.readlink(name)
}

func (d *dir) readlink(name string) (string, error) {
	target, err := sys.Readlinkat(d.fd, name)
	return target, vfs.PathError("readlink", name, err)
}

// Remove implements [vfs.Dir]. No system call removes a name only if it refers to a given entry.
func (d *dir) Remove(name string, only *vfs.Premise) error {
	if err := vfs.CheckRemoved(d, name, only); err != nil {
		return err
	}
	return callOn("remove", name, func() error { return sys.Unlinkat(d.fd, name, 0) })
}

func (d *dir) Rmdir(name string) error {
	return callOn("rmdir", name, func() error { return sys.Unlinkat(d.fd, name, unix.AT_REMOVEDIR) })
}

// Set implements [vfs.Dir].
func (d *dir) Set(name string, changes []vfs.Change) []error {
	return vfs.SetEach(changes, func(c *vfs.Change) error { return d.set(name, c) })
}

func (d *dir) set(name string, c *vfs.Change) error {
	if err := check(c.Kind.String(), name); err != nil {
		return err
	}
	switch c.Kind {
	case vfs.OwnerChange:
		return call("chown", name, func() error { return unix.Fchownat(d.fd, name, c.UID, c.GID, unix.AT_SYMLINK_NOFOLLOW) })
	case vfs.ModeChange:
		return d.chmod(name, c.Mode)
	case vfs.TimesChange:
		return d.chtimes(name, c.Atime, c.Mtime)
	}
	return vfs.PathError(c.Kind.String(), name, errors.ErrUnsupported)
}

func (d *dir) chmod(name string, mode fs.FileMode) error {
	if name == "." {
		return call("chmod", name, func() error { return unix.Fchmod(d.fd, vfs.UnixMode(mode)) })
	}
	return vfs.PathError("chmod", name, sys.Lchmodat(d.fd, name, vfs.UnixMode(mode)))
}

func (d *dir) chtimes(name string, atime, mtime time.Time) error {
	times, err := timespecs(atime, mtime)
	if err != nil {
		return vfs.PathError("chtimes", name, err)
	}
	if name == "." {
		// A descriptor gives access even to a directory without search permission.
		if err := sys.Futimens(d.fd, &times); !errors.Is(err, errors.ErrUnsupported) {
			return vfs.PathError("chtimes", name, err)
		}
	}
	return call("chtimes", name, func() error { return unix.UtimesNanoAt(d.fd, name, times[:], unix.AT_SYMLINK_NOFOLLOW) })
}

// timespecs converts times; a zero time means "leave unchanged".
func timespecs(atime, mtime time.Time) (ts [2]unix.Timespec, err error) {
	for i, t := range [2]time.Time{atime, mtime} {
		if t.IsZero() {
			ts[i].Nsec = sys.UtimeOmit
		} else if ts[i], err = unix.TimeToTimespec(t); err != nil {
			return ts, err
		}
	}
	return ts, nil
}

func (d *dir) SyncVolume() error { return vfs.PathError("sync", ".", sys.SyncVolume(d.fd)) }

func (d *dir) Close() error { return vfs.PathError("close", ".", unix.Close(d.fd)) }
