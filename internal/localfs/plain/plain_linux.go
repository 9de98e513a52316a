// Package plain copies files and directories that have nothing unusual, and compares such files, with few system calls. It
// is for Linux.
package plain

import (
	"bytes"
	"errors"
	"io"

	"golang.org/x/sys/unix"

	"psync/internal/localfs/stat"
	"psync/internal/sys"
	"psync/internal/vfs"
)

// CopyFile copies the open file fd to name in the directory dirfd, as CopyPlain of [vfs.Dir] does. Copying a small file
// spends most of its time in system calls, and the code between them in the general methods takes up to a third of that
// time.
func CopyFile(fd, dirfd int, name string, o *vfs.PlainOptions) (size int64, err error) {
	var st unix.Stat_t
	n, err := readPlain(fd, &st, o)
	if err != nil {
		return st.Size, vfs.ErrNotPlain
	}
	return st.Size, createPlain(dirfd, name, o.Buf[:n], &st, o)
}

// readPlain reads a file into o.Buf and stores its attributes in st, or returns an error if it is not plain. If the
// access time is kept, it reads the file only after it is known to be plain.
func readPlain(fd int, st *unix.Stat_t, o *vfs.PlainOptions) (n int, err error) {
	if o.LookFirst || o.Atime {
		err = lookPlain(fd, st, o)
	}
	if err == nil && o.Atime {
		err = checkXattrs(fd, o)
	}
	if err != nil {
		return 0, err
	}
	n, err = sys.Pread(fd, o.Buf, 0)
	if err == nil && !o.Atime {
		err = lookPlain(fd, st, o)
		if err == nil {
			err = checkXattrs(fd, o)
		}
	}
	if err == nil && int64(n) != st.Size {
		err = vfs.ErrNotPlain
	}
	return n, err
}

// lookPlain stores the attributes of a file in st, and returns an error if they show that it is not plain.
func lookPlain(fd int, st *unix.Stat_t, o *vfs.PlainOptions) error {
	if err := sys.Fstat(fd, st); err != nil {
		return err
	}
	plain := st.Mode&^0o777 == unix.S_IFREG && st.Nlink == 1 &&
		st.Size < int64(len(o.Buf)) && st.Blocks*512 >= st.Size && // without holes
		o.IsAtRest(vfs.Stamp(st.Ctim.Nano())) &&
		(!o.Mtime && !o.Atime || vfs.UsualTime(int64(st.Mtim.Sec))) &&
		(!o.Atime || vfs.UsualTime(int64(st.Atim.Sec))) &&
		(!o.Owned || st.Uid == o.UID && st.Gid == o.GID)
	if !plain {
		return vfs.ErrNotPlain
	}
	return nil
}

// checkXattrs returns an error if the extended attributes of a file show that it is not plain.
func checkXattrs(fd int, o *vfs.PlainOptions) error {
	if o.IgnoresXattr != nil && hasXattrs(fd, "", o.IgnoresXattr) {
		return vfs.ErrNotPlain
	}
	return nil
}

// hasXattrs reports whether an entry has, or may have, an extended attribute that is not ignored. The entry is the open
// file fd or, unless name is empty, the entry called name in the directory fd.
func hasXattrs(fd int, name string, ignored func(name string) bool) bool {
	var buf [256]byte // most files have none or only a label
	n, err := sys.Listxattr(fd, name, buf[:])
	if err != nil {
		return err != unix.ENOTSUP
	}
	for list := buf[:n]; len(list) > 0; {
		name, rest, _ := bytes.Cut(list, []byte{0})
		if !ignored(string(name)) {
			return true
		}
		list = rest
	}
	return false
}

// createPlain makes a plain file with contents p and the mode and the times of st.
func createPlain(dirfd int, name string, p []byte, st *unix.Stat_t, o *vfs.PlainOptions) error {
	fd, err := sys.Openat(dirfd, name, unix.O_WRONLY|unix.O_CREAT|unix.O_EXCL|unix.O_NOFOLLOW, st.Mode&0o777)
	if err != nil {
		return vfs.PathError("create", name, err)
	}
	op := "write"
	if len(p) > 0 {
		var n int
		if n, err = sys.Pwrite(fd, p, 0); err == nil && n < len(p) {
			err = io.ErrShortWrite // the next write would return the reason
		}
	}
	if err == nil && (o.Mtime || o.Atime) {
		op = "chtimes"
		times := [2]unix.Timespec{st.Atim, st.Mtim}
		if !o.Atime {
			times[0].Nsec = sys.UtimeOmit
		}
		err = sys.Futimens(fd, &times)
	}
	if err == nil && st.Mode&uint32(o.Umask) != 0 {
		op = "chmod"
		err = sys.IgnoringEINTR(func() error { return unix.Fchmod(fd, st.Mode&0o777) })
	}
	if err != nil {
		return partial(fd, op, name, err)
	}
	if err := unix.Close(fd); err != nil {
		return &vfs.PartialError{Err: vfs.PathError("close", name, err)}
	}
	return nil
}

// partial closes a file that could not be completed.
func partial(fd int, op, name string, err error) error {
	defer unix.Close(fd)
	var made unix.Stat_t
	if statErr := sys.Fstat(fd, &made); statErr != nil {
		err = errors.Join(err, statErr)
	}
	return &vfs.PartialError{ID: stat.Attr(&made).ID(), Err: vfs.PathError(op, name, err)}
}
