//go:build linux || freebsd

package localfs

import (
	"errors"
	"io"

	"golang.org/x/sys/unix"

	"psync/internal/sys"
	"psync/internal/vfs"
)

func (f *file) CopyRange(src vfs.File, off, n int64) (int64, error) {
	s, ok := vfs.As[*file](src)
	if !ok {
		return 0, errors.ErrUnsupported
	}
	m, err := sys.CopyFileRange(s.fd, f.fd, off, int(n))
	if err != nil {
		return 0, vfs.PathError("copy_file_range", f.name, unsupported(err))
	}
	return int64(m), nil
}

// NextData implements [vfs.File]. It moves the file's offset.
func (f *file) NextData(off int64) (start, end int64, err error) {
	err = sys.IgnoringEINTR(func() error {
		if start, err = unix.Seek(f.fd, off, unix.SEEK_DATA); err != nil {
			return err
		}
		end, err = unix.Seek(f.fd, start, unix.SEEK_HOLE)
		return err
	})
	switch err {
	case unix.ENXIO:
		return 0, 0, io.EOF
	case unix.EIO:
		// On a mount from Samba 4.17, Linux 6.1 returns this for each file with several ranges, although it can be
		// read. If the disk is broken, reading will return an error.
		err = errors.ErrUnsupported
	}
	return start, end, vfs.PathError("lseek", f.name, unsupported(err))
}
