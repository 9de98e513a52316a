package sftpfs

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"sync/atomic"
	"syscall"

	"github.com/pkg/sftp"

	"psync/internal/vfs"
)

// file implements [vfs.File].
type file struct {
	vfs.UnsupportedFile
	s       *session
	channel *channel
	handle  *sftp.File
	name    string
	path    string
	ino     uint64
	size    atomic.Int64 // as last reported by the server, or -1
}

// open opens the file at a path in one of the channels.
func (d *dir) open(name, path string, flags int) (*file, error) {
	c := d.s.take()
	defer c.put()
	handle, err := c.OpenFile(path, flags)
	if err != nil {
		return nil, d.s.translate(err)
	}
	f := &file{s: d.s, channel: c, handle: handle, name: name, path: path, ino: d.s.ids.of(path)}
	f.size.Store(-1)
	return f, nil
}

// openFile opens an existing file with the attributes a, unless err is not nil. It opens nothing but regular files: a
// link would be followed, and a fifo would block the server.
func (d *dir) openFile(op, name, path string, a attrs, err error, flags int) (vfs.File, error) {
	switch {
	case err != nil:
	case a.isLink():
		err = syscall.ELOOP
	case a.isDir():
		err = syscall.EISDIR
	case !a.isRegular():
		err = syscall.ENXIO
	}
	if err == nil {
		var f *file
		if f, err = d.open(name, path, flags); err == nil {
			return f, nil
		}
	}
	return nil, pathError(op, name, err)
}

// OpenFile implements [vfs.Dir].
func (d *dir) OpenFile(name string, mode vfs.OpenMode, perm fs.FileMode) (vfs.File, error) {
	switch mode {
	case vfs.ReadOnly:
		k, err := d.find(name, aType)
		return d.openFile("open", name, d.at(name), k.attrs, err, os.O_RDONLY)
	case vfs.ReadFollow:
		at, a, err := d.followLink(name, false)
		return d.openFile("open", name, at, a, err, os.O_RDONLY)
	case vfs.ReadWrite:
		k, err := d.find(name, aType)
		return d.openFile("rewrite", name, d.at(name), k.attrs, err, os.O_RDWR)
	case vfs.Create:
		return d.create(name, perm)
	}
	return nil, errors.ErrUnsupported
}

// do runs f, which uses the file.
func (f *file) do(run func() error) error {
	f.channel.busy.Add(1)
	defer f.channel.put()
	return f.s.translate(run())
}

func (f *file) stat() (a attrs, err error) {
	var info fs.FileInfo
	err = f.do(func() (err error) {
		info, err = f.handle.Stat()
		return err
	})
	if err == nil {
		a, err = attrsOf(info)
	}
	if err == nil {
		f.size.Store(a.size)
	}
	return a, err
}

// Statx implements [vfs.File]. There is no cache in between.
func (f *file) Statx(want vfs.StatxWant) (vfs.Attr, error) {
	if want == vfs.StatxID {
		return vfs.Attr{Dev: f.s.dev, Ino: f.ino}, nil
	}
	a, err := f.stat()
	if err != nil {
		return vfs.Attr{}, pathError("stat", f.name, err)
	}
	return f.s.attr(a, f.ino), nil
}

// ReadAt implements [vfs.File]. It asks for nothing beyond the end of the file that Stat last reported, so that a small
// file takes one request, not one for each packet that would fit into p.
func (f *file) ReadAt(p []byte, off int64) (n int, err error) {
	if off < 0 {
		return 0, pathError("read", f.name, syscall.EINVAL)
	}
	all := len(p)
	size := f.size.Load()
	if size >= 0 {
		p = p[:min(int64(all), max(size-off, 0))]
	}
	for n < len(p) && err == nil {
		var m int
		err = f.do(func() (err error) {
			m, err = f.handle.ReadAt(p[n:], off+int64(n))
			return err
		})
		n += m
		if err == io.EOF && m > 0 && off+int64(n) < size {
			err = nil // package sftp treats a short answer as the end
		}
	}
	switch {
	case err == io.EOF, err == nil && n < all:
		return n, io.EOF
	case err != nil:
		return n, pathError("read", f.name, err)
	}
	return n, nil
}

// packet is how many bytes a request carries.
const packet = 1 << 15

// WriteAt implements [vfs.File]. It sends one packet at a time: an error could otherwise leave a hole in a file that
// others may read.
func (f *file) WriteAt(p []byte, off int64) (n int, err error) {
	if off < 0 {
		return 0, pathError("write", f.name, syscall.EINVAL)
	}
	for n < len(p) && err == nil {
		some := p[n:min(n+packet, len(p))]
		var m int
		err = f.do(func() (err error) {
			m, err = f.handle.WriteAt(some, off+int64(n))
			return err
		})
		n += m
	}
	f.changed()
	return n, pathError("write", f.name, f.s.cause(err, f.path, len(p)-n))
}

// changed records that the entry is no longer what a listing reported.
func (f *file) changed() {
	f.size.Store(-1)
	f.s.cache.changed(f.path, false)
}

func (f *file) Truncate(size int64) error {
	if size < 0 {
		return pathError("truncate", f.name, syscall.EINVAL)
	}
	err := f.do(func() error { return f.handle.Truncate(size) })
	f.changed()
	return pathError("truncate", f.name, f.s.cause(err, f.path, 0))
}

// Set implements [vfs.Node]. Package sftp can set times only by path.
func (f *file) Set(changes []vfs.Change) []error {
	return vfs.SetEach(changes, func(c *vfs.Change) error {
		switch c.Kind {
		case vfs.OwnerChange:
			return f.chown(c.UID, c.GID)
		case vfs.ModeChange:
			return f.chmod(c.Mode)
		}
		return pathError(c.Kind.String(), f.name, errors.ErrUnsupported)
	})
}

func (f *file) chmod(mode fs.FileMode) error {
	err := f.do(func() error { return f.handle.Chmod(mode) })
	f.s.cache.changed(f.path, false)
	return attrError("chmod", f.name, f.s.cause(err, f.path, 0))
}

func (f *file) chown(uid, gid int) error {
	if uid < 0 && gid < 0 {
		return nil
	}
	var err error
	if uid < 0 || gid < 0 {
		var a attrs
		a, err = f.stat()
		uid, gid = a.owners(uid, gid)
	}
	if err == nil {
		err = f.do(func() error { return f.handle.Chown(uid, gid) })
	}
	f.s.cache.changed(f.path, false)
	return attrError("chown", f.name, f.s.cause(err, f.path, 0))
}

func (f *file) Sync() error {
	err := f.do(f.handle.Sync)
	return pathError("fsync", f.name, f.s.cause(err, f.path, 0))
}

func (f *file) Close() error {
	err := f.do(f.handle.Close)
	return pathError("close", f.name, f.s.cause(err, f.path, 0))
}
