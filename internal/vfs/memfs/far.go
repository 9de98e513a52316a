package memfs

import (
	"bytes"
	"errors"
	"syscall"

	"psync/internal/blocksum"
	"psync/internal/vfs"
)

func (f *memFile) Sums(off, n, block int64, key []byte) (sums []byte, err error) {
	err = f.do("read", f.name, func() error {
		switch {
		case !f.Caps().Has(vfs.CanSum):
			return errors.ErrUnsupported
		case !f.readable:
			return syscall.EBADF
		case off < 0 || n < 0 || block <= 0:
			return syscall.EINVAL
		}
		sums, err = blocksum.Of(bytes.NewReader(f.node.Data), off, n, block, key, make([]byte, block), func() error { return nil })
		return err
	})
	return sums, err
}

func (f *memFile) CopyRange(src vfs.File, off, n int64) (copied int64, err error) {
	from, ok := vfs.As[*memFile](src)
	if !ok || from.m != f.m || !f.Caps().Has(vfs.CanCopyRange) {
		return 0, errors.ErrUnsupported
	}
	p := make([]byte, max(0, min(n, int64(len(from.node.Data))-off)))
	if len(p) == 0 {
		return 0, nil
	}
	m, err := from.ReadAt(p, off)
	if m == 0 {
		return 0, err
	}
	m, err = f.WriteAt(p[:m], off)
	return int64(m), err
}
