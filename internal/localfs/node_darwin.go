package localfs

import (
	"errors"
	"io"
	"io/fs"
	"math"

	"golang.org/x/sys/unix"

	"psync/internal/sys"
	"psync/internal/vfs"
)

// nodeTypes are the types of entries, other than regular files, that are opened for their
// metadata. O_SYMLINK opens a symbolic link itself.
const (
	nodeTypes = fs.ModeDir | fs.ModeSymlink
	nodeFlags = unix.O_SYMLINK
)

// ReadXattrAt implements [vfs.Node]. Only a resource fork can be read and written in parts, no other attribute.
func (f *file) ReadXattrAt(name string, p []byte, off int64) (n int, err error) {
	if err := longXattr(name, off, len(p)); err != nil {
		return 0, vfs.PathError("getxattr", f.name, err)
	}
	if len(p) == 0 {
		n, err = sys.FgetxattrAt(f.fd, name, nil, 0)
		return n, xattrError("getxattr", f.name, err)
	}
	for n < len(p) {
		m, err := sys.FgetxattrAt(f.fd, name, p[n:], uint32(off)+uint32(n))
		if err != nil {
			return n, xattrError("getxattr", f.name, err)
		}
		if m == 0 {
			return n, io.EOF
		}
		n += m
	}
	return n, nil
}

// writeXattrAt does not shorten the attribute: to replace a longer one, the caller removes it first.
func (f *file) writeXattrAt(name string, p []byte, off int64) error {
	if err := longXattr(name, off, len(p)); err != nil {
		return vfs.PathError("setxattr", f.name, err)
	}
	return xattrError("setxattr", f.name, sys.FsetxattrAt(f.fd, name, p, uint32(off)))
}

// longXattr returns an error for attributes that cannot be accessed in parts, and for positions that the
// system calls cannot represent.
func longXattr(name string, off int64, n int) error {
	switch {
	case name != sys.ResourceFork:
		return errors.ErrUnsupported
	case off < 0 || off > math.MaxUint32-int64(n):
		return unix.EINVAL
	}
	return nil
}
