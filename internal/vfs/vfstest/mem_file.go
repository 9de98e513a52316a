package vfstest

import (
	"io"
	"io/fs"
	"syscall"
	"time"

	"psync/internal/vfs"
)

// memFile is a [vfs.File] on a [Mem].
type memFile struct {
	handle
	readable, writable bool // both only if made by Rewrite
}

func (f *memFile) Stat() (a vfs.Attr, err error) {
	err = f.do("stat", f.name, func() error {
		a = f.node.attr()
		return nil
	})
	return a, err
}

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
		if off < int64(len(f.node.data)) {
			n = copy(p, f.node.data[off:])
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
		case off > maxSize:
			return syscall.EFBIG
		case len(p) == 0:
			return nil
		}
		if end := off + int64(len(p)); end > int64(len(f.node.data)) {
			if err := f.node.resize(end); err != nil {
				return err
			}
		}
		n = copy(f.node.data[off:], p)
		f.node.Mtime = f.m.now
		return nil
	})
	return n, err
}

func (f *memFile) Truncate(size int64) error {
	return f.do("truncate", f.name, func() error {
		if !f.writable || !f.node.Mode.IsRegular() {
			return syscall.EINVAL
		}
		if err := f.node.resize(size); err != nil {
			return err
		}
		f.node.Mtime = f.m.now
		return nil
	})
}

func (f *memFile) Chmod(mode fs.FileMode) error {
	return f.do("chmod", f.name, func() error { return f.node.chmod(mode) })
}

func (f *memFile) Chown(uid, gid int) error {
	return f.do("chown", f.name, func() error { return f.node.chown(uid, gid) })
}

func (f *memFile) Chtimes(atime, mtime time.Time) error {
	return f.do("chtimes", f.name, func() error { return f.node.chtimes(atime, mtime) })
}
