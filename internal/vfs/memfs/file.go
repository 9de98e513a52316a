package memfs

import (
	"errors"
	"io"
	"syscall"

	"psync/internal/vfs"
	"psync/internal/vfs/memfs/kernel"
)

func (f *memFile) ReadAt(p []byte, off int64) (n int, err error) {
	err = f.do("read", f.name, func() error {
		switch {
		case !f.readable:
			return syscall.EBADF
		case f.node.Mode.IsDir():
			return syscall.EISDIR
		case !f.node.Mode.IsRegular():
			return syscall.ESPIPE
		case off < 0:
			return syscall.EINVAL
		}
		if err := f.kernel.Fetch(f.node); err != nil {
			return err
		}
		if off < int64(len(f.node.Data)) {
			n = copy(p, f.node.Data[off:])
		}
		return nil
	})
	if err == nil && n < len(p) {
		err = io.EOF
	}
	return n, err
}

func (f *memFile) WriteAt(p []byte, off int64) (n int, err error) {
	err = f.do("write", f.name, func() error {
		switch {
		case !f.writable:
			return syscall.EBADF
		case !f.node.Mode.IsRegular():
			return syscall.ESPIPE
		case off < 0:
			return syscall.EINVAL
		case off > kernel.MaxSize:
			return syscall.EFBIG
		case len(p) == 0:
			return nil
		}
		if err := f.kernel.Fetch(f.node); err != nil {
			return err
		}
		if end := off + int64(len(p)); end > int64(len(f.node.Data)) {
			if err := f.node.Resize(end); err != nil {
				return err
			}
		}
		n = copy(f.node.Data[off:], p)
		if d := f.m.disk(f.node); d != nil {
			d.wrote(off, off+int64(n))
		}
		f.node.Mtime, f.node.Ctime = f.m.now, vfs.StampOf(f.m.now)
		f.kernel.Written(f.node)
		return nil
	})
	return n, err
}

func (f *memFile) Truncate(size int64) error {
	return f.do("truncate", f.name, func() error {
		if !f.writable || !f.node.Mode.IsRegular() {
			return syscall.EINVAL
		}
		if err := f.kernel.Fetch(f.node); err != nil {
			return err
		}
		if err := f.node.Resize(size); err != nil {
			return err
		}
		f.node.Reserved = 0
		if d := f.m.disk(f.node); d != nil {
			d.resize(size)
		}
		f.node.Mtime, f.node.Ctime = f.m.now, vfs.StampOf(f.m.now)
		f.kernel.Written(f.node)
		return nil
	})
}

func (f *memFile) Caps() vfs.Caps { return memCaps | f.kernel.Caps() }

func (f *memFile) Fallocate(mode vfs.FallocateMode, _, size int64) error {
	if mode != vfs.Preallocate {
		return errors.ErrUnsupported
	}
	return f.do(string(mode), f.name, func() error {
		switch {
		case !f.writable || !f.node.Mode.IsRegular():
			return syscall.EBADF
		case size <= 0:
			return syscall.EINVAL
		case size > kernel.MaxSize:
			return syscall.EFBIG
		}
		f.node.Reserved = max(f.node.Reserved, size)
		return nil
	})
}
