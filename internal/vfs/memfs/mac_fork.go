package memfs

import (
	"errors"
	"io"
	"syscall"

	"psync/internal/vfs"
)

// A macFile is a file with a resource fork, a macNode any entry that may have one.
type (
	macFile struct {
		*memFile
		fork
	}
	macNode struct {
		*memNode
		fork
	}
)

func (f *macFile) Caps() vfs.Caps { return f.memFile.Caps() | vfs.CanLongXattr }

// A fork adds the long extended attributes of a Node: a resource fork alone is one.
type fork struct {
	of  *memNode
	mac *mac
}

func (f fork) XattrSize(name string) (size int64, err error) {
	err = f.of.on("xattrsize", func(n *inode) error {
		if name != resourceFork {
			return errors.ErrUnsupported
		}
		value, err := f.mac.xattr(n, name)
		size = int64(len(value))
		return err
	})
	return size, err
}

func (f fork) ReadXattrAt(name string, p []byte, off int64) (done int, err error) {
	err = f.of.on("readxattr", func(n *inode) error {
		if name != resourceFork && off != 0 {
			return syscall.EINVAL
		}
		value, err := f.mac.xattr(n, name)
		if err == nil && off < int64(len(value)) {
			done = copy(p, value[off:])
		}
		return err
	})
	if err == nil && done < len(p) {
		err = io.EOF
	}
	return done, err
}

// WriteXattrAt leaves what is beyond p as it is: a fork that is to be shorter has to
// be removed first.
func (f fork) WriteXattrAt(name string, p []byte, off int64) (int, error) {
	err := f.of.on("writexattr", func(n *inode) error {
		if name != resourceFork && off != 0 {
			return syscall.EINVAL
		}
		if off+int64(len(p)) > maxSize {
			return syscall.E2BIG
		}
		value := append([]byte{}, n.xattrs[name]...)
		if more := off + int64(len(p)) - int64(len(value)); more > 0 {
			value = append(value, make([]byte, more)...)
		}
		copy(value[off:], p)
		return f.mac.setXattr(n, name, value)
	})
	if err != nil {
		return 0, err
	}
	return len(p), nil
}
