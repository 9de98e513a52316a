package memfs

import (
	"errors"
	"io"
	"syscall"

	"psync/internal/vfs"
	"psync/internal/vfs/memfs/kernel"
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
	mac *kernel.XNU
}

func (f fork) XattrSize(name string) (int64, error) {
	return result(&f.of.handle, "xattrsize", f.of.name, func() (int64, error) {
		if name != kernel.ResourceFork {
			return 0, errors.ErrUnsupported
		}
		value, err := f.mac.Xattr(f.of.node, name)
		return int64(len(value)), err
	})
}

func (f fork) ReadXattrAt(name string, p []byte, off int64) (int, error) {
	done, err := result(&f.of.handle, "readxattr", f.of.name, func() (int, error) {
		if name != kernel.ResourceFork && off != 0 {
			return 0, syscall.EINVAL
		}
		value, err := f.mac.Xattr(f.of.node, name)
		return copy(p, value[min(off, int64(len(value))):]), err
	})
	if err == nil && done < len(p) {
		err = io.EOF
	}
	return done, err
}

// WriteXattrAt leaves what is beyond p as it is: a fork that is to be shorter has to
// be removed first.
func (f fork) WriteXattrAt(name string, p []byte, off int64) (int, error) {
	return result(&f.of.handle, "writexattr", f.of.name, func() (int, error) {
		if name != kernel.ResourceFork && off != 0 {
			return 0, syscall.EINVAL
		}
		if off+int64(len(p)) > kernel.MaxSize {
			return 0, syscall.E2BIG
		}
		value := append([]byte{}, f.of.node.Xattrs[name]...)
		if more := off + int64(len(p)) - int64(len(value)); more > 0 {
			value = append(value, make([]byte, more)...)
		}
		copy(value[off:], p)
		if err := f.mac.SetXattr(f.of.node, name, value); err != nil {
			return 0, err
		}
		return len(p), nil
	})
}
