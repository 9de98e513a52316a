package localfs

import (
	"errors"

	"golang.org/x/sys/unix"

	"psync/internal/localfs/plain"
	"psync/internal/vfs"
)

// CopyPlain implements [vfs.Dir].
func (d *dir) CopyPlain(src vfs.Dir, name string, o *vfs.PlainOptions) (size int64, err error) {
	from, ok := vfs.As[*dir](src)
	if !ok {
		return 0, errors.ErrUnsupported
	}
	op, flags := "create", nonBlocking
	if o.Dir != nil {
		op, flags = "mkdir", unix.O_DIRECTORY
	}
	if err := checkEntry(op, name); err != nil {
		return 0, err
	}
	fd, err := openToRead(from.fd, name, unix.O_NOFOLLOW|flags, from.noatime)
	if err != nil {
		return 0, vfs.ErrNotPlain // the general methods report the error
	}
	defer unix.Close(fd)
	if o.Dir != nil {
		return 0, plain.CopyDir(fd, d.fd, name, o)
	}
	return plain.CopyFile(fd, d.fd, name, o)
}

// QuickCheck implements [vfs.Dir].
func (d *dir) QuickCheck(src vfs.Dir, name string, o *vfs.QuickCheckOptions) (size int64, equal bool) {
	from, ok := vfs.As[*dir](src)
	if !ok || checkEntry("lstat", name) != nil {
		return 0, false
	}
	return plain.QuickCheck(from.fd, d.fd, name, o)
}
