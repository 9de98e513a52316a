package retry

import (
	"errors"
	"io/fs"
	"time"

	"psync/internal/vfs"
)

// A handle makes the calls of a [vfs.Node], which may be a file, through do.
type handle[N vfs.Node] struct {
	do func(f func(N) error) error
}

func (h handle[N]) Stat() (attr vfs.Attr, err error) {
	err = h.do(func(n N) (err error) {
		attr, err = n.Stat()
		return err
	})
	return attr, err
}

func (h handle[N]) Chown(uid, gid int) error {
	return h.do(func(n N) error { return n.Chown(uid, gid) })
}

func (h handle[N]) Chmod(mode fs.FileMode) error {
	return h.do(func(n N) error { return n.Chmod(mode) })
}

func (h handle[N]) Chtimes(atime, mtime time.Time) error {
	return h.do(func(n N) error { return n.Chtimes(atime, mtime) })
}

func (h handle[N]) SetBtime(t time.Time) error {
	return h.do(func(n N) error { return n.SetBtime(t) })
}

func (h handle[N]) Flags() (flags uint32, err error) {
	err = h.do(func(n N) (err error) {
		flags, err = n.Flags()
		return err
	})
	return flags, err
}

func (h handle[N]) SetFlags(flags uint32) error {
	return h.do(func(n N) error { return n.SetFlags(flags) })
}

func (h handle[N]) Xattrs(acls bool) (names []string, err error) {
	err = h.do(func(n N) (err error) {
		names, err = n.Xattrs(acls)
		return err
	})
	return names, err
}

func (h handle[N]) Xattr(name string) (value []byte, err error) {
	err = h.do(func(n N) (err error) {
		value, err = n.Xattr(name)
		return err
	})
	return value, err
}

func (h handle[N]) SetXattr(name string, value []byte) error {
	return h.do(func(n N) error { return n.SetXattr(name, value) })
}

func (h handle[N]) RemoveXattr(name string) error {
	again := false
	return h.do(func(n N) error {
		err := n.RemoveXattr(name)
		if again && errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		again = true
		return err
	})
}

func (h handle[N]) XattrSize(name string) (size int64, err error) {
	err = h.do(func(n N) (err error) {
		size, err = n.XattrSize(name)
		return err
	})
	return size, err
}

func (h handle[N]) ReadXattrAt(name string, p []byte, off int64) (read int, err error) {
	err = h.do(func(n N) (err error) {
		read, err = n.ReadXattrAt(name, p, off)
		return err
	})
	return read, err
}

func (h handle[N]) WriteXattrAt(name string, p []byte, off int64) (written int, err error) {
	err = h.do(func(n N) (err error) {
		written, err = n.WriteXattrAt(name, p, off)
		return err
	})
	return written, err
}
