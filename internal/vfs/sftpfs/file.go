package sftpfs

import (
	"cmp"
	"errors"
	"io/fs"
	"slices"
	"sync"
	"syscall"

	"psync/internal/vfs"
	"psync/internal/vfs/sftpfs/pipeline"
)

// A file implements [vfs.File]. What is asked for before the caller does, or sent after that, is described in readfile.go
// and newfile.go.
type file struct {
	vfs.UnsupportedFile
	d          *dir
	channel    *channel
	handle     string
	mode       vfs.OpenMode
	name, path string
	ino        uint64

	mu     sync.Mutex // guards what follows
	closed bool
	reads  reads
	kept   []keptCall
	failed error // of what was kept: the caller may have taken it for that of another request
	wrote  bool
	small  bool // all that was written is one packet
	early  bool // it was closed when its times were set
}

// open opens the file at a path in one of the channels.
func (d *dir) open(name, path string, mode vfs.OpenMode, r pipeline.Request) (*file, error) {
	c := d.s.take()
	defer c.put()
	handle, err := d.s.waitHandle(c.pipeline.Send(r)[0])
	if err != nil {
		return nil, err
	}
	return &file{d: d, channel: c, handle: handle, mode: mode, name: name, path: path, ino: d.s.ids.of(path)}, nil
}

// openFile opens an existing file with the attributes a, unless err is not nil. It opens nothing but regular files: a
// link would be followed, and a fifo would block the server.
func (d *dir) openFile(op, name, path string, a attrs, err error, mode vfs.OpenMode, flags uint32) (vfs.File, error) {
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
		if f, err = d.open(name, path, mode, pipeline.Open(path, flags)); err == nil {
			f.reads = reads{size: -1, listed: a.size}
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
		return d.openFile("open", name, d.at(name), k.attrs, err, mode, pipeline.OpenRead)
	case vfs.ReadFollow:
		at, a, err := d.followLink(name, false)
		return d.openFile("open", name, at, a, err, mode, pipeline.OpenRead)
	case vfs.ReadWrite:
		k, err := d.find(name, aType)
		return d.openFile("rewrite", name, d.at(name), k.attrs, err, mode, pipeline.OpenReadWrite)
	case vfs.Create:
		return d.create(name, perm)
	}
	return nil, errors.ErrUnsupported
}

// setRequest changes attributes of the open file.
func (f *file) setRequest(attrs []byte) pipeline.Request {
	return pipeline.Request{Type: pipeline.TypeFsetstat, On: f.handle, Rest: attrs}
}

func (f *file) closeRequest() pipeline.Request {
	return pipeline.Request{Type: pipeline.TypeClose, On: f.handle}
}

func (f *file) statRequest() pipeline.Request {
	return pipeline.Request{Type: pipeline.TypeFstat, On: f.handle}
}

// do sends requests that are answered by a status, and waits for all of them. failed is which has failed.
func (f *file) do(op string, requests ...pipeline.Request) (failed int, err error) {
	f.channel.busy.Add(1)
	defer f.channel.put()
	answers, err := f.send(requests...)
	if len(answers) == 0 {
		return 0, pathError(op, f.name, unwrapped(err))
	}
	for i, answered := range answers {
		_, no := f.d.s.wait(answered, pipeline.TypeStatus)
		if no = f.failure(op, no, len(requests[i].Data)); no != nil && err == nil {
			failed, err = i, no
		}
	}
	return failed, err
}

// failure returns the error to report for an operation that has failed, or has not stored n bytes.
func (f *file) failure(op string, err error, n int) error {
	if err == nil {
		return nil
	}
	err = f.d.s.cause(err, f.path, n)
	switch op {
	case "chmod", "chown", "chtimes":
		return attrError(op, f.name, err)
	}
	return pathError(op, f.name, err)
}

// Statx implements [vfs.File]. There is no cache in between.
func (f *file) Statx(want vfs.StatxWant) (vfs.Attr, error) {
	if want == vfs.StatxID {
		return vfs.Attr{Dev: f.d.s.dev, Ino: f.ino}, nil
	}
	var a attrs
	var err error
	switch after := f.takeAfter(want); {
	case after != nil:
		a, err = f.d.s.waitAttrs(after) // which has come with the contents
	case f.mode.Writes():
		if _, err = f.send(); err == nil { // some servers carry out writes beside other requests
			a, err = f.stat()
		}
	default:
		a, err = f.statAhead()
	}
	if err != nil {
		return vfs.Attr{}, pathError("stat", f.name, unwrapped(err))
	}
	return f.d.s.attr(a, f.ino), nil
}

// stat asks for the attributes.
func (f *file) stat() (attrs, error) {
	f.channel.busy.Add(1)
	defer f.channel.put()
	answers, err := f.send(f.statRequest())
	if len(answers) == 0 { // f is closed
		return attrs{}, err
	}
	a, failed := f.d.s.waitAttrs(answers[0])
	f.sized(a.size, failed)
	return a, cmp.Or(err, failed)
}

// WriteAt implements [vfs.File]. It keeps the first packet of a new file if that is all it gets. To a file that was there
// it sends one packet at a time: an error could otherwise leave a hole in a file that others may read.
func (f *file) WriteAt(p []byte, off int64) (n int, err error) {
	if off < 0 {
		return 0, pathError("write", f.name, syscall.EINVAL)
	}
	defer f.changed()
	if f.keep(p, off) {
		return len(p), nil
	}
	var requests []pipeline.Request
	for at := 0; at < len(p); at += pipeline.MaxData {
		requests = append(requests, pipeline.Write(f.handle, p[at:min(at+pipeline.MaxData, len(p))], off+int64(at)))
	}
	together := 1
	if f.mode == vfs.Create {
		together = max(len(requests), 1)
	}
	for some := range slices.Chunk(requests, together) {
		failed, err := f.do("write", some...)
		if err != nil {
			return n + failed*pipeline.MaxData, err
		}
		n = min(n+len(some)*pipeline.MaxData, len(p))
	}
	return n, nil
}

// changed records that the entry is no longer what a listing reported.
func (f *file) changed() {
	f.sized(-1, nil)
	f.d.s.cache.changed(f.path, false)
}

func (f *file) Truncate(size int64) error {
	if size < 0 {
		return pathError("truncate", f.name, syscall.EINVAL)
	}
	defer f.changed()
	return f.doAfter("truncate", f.setRequest(pipeline.SizeAttrs(size)))
}

// Set implements [vfs.Node]. It sets times only of a new file, and closes it then.
func (f *file) Set(changes []vfs.Change) []error {
	defer f.d.s.cache.changed(f.path, false)
	return vfs.SetEach(changes, func(c *vfs.Change) (err error) {
		switch c.Kind {
		case vfs.OwnerChange:
			return f.chown(c.UID, c.GID)
		case vfs.ModeChange:
			if c.Mode&(fs.ModeSetuid|fs.ModeSetgid) != 0 { // which a write takes away
				return f.doAfter("chmod", f.setRequest(pipeline.ModeAttrs(c.Mode)))
			}
			_, err = f.do("chmod", f.setRequest(pipeline.ModeAttrs(c.Mode)))
			return err
		case vfs.TimesChange:
			return f.chtimes(c.Atime, c.Mtime)
		}
		return pathError(c.Kind.String(), f.name, errors.ErrUnsupported)
	})
}

func (f *file) chown(uid, gid int) error {
	switch {
	case uid < 0 && gid < 0:
		return nil
	case uid < 0 || gid < 0:
		a, err := f.stat()
		if err != nil {
			return attrError("chown", f.name, unwrapped(err))
		}
		uid, gid = a.owners(uid, gid)
	}
	_, err := f.do("chown", f.setRequest(pipeline.OwnerAttrs(uid, gid)))
	return err
}

func (f *file) Sync() error {
	if !f.d.s.ext.fsync {
		_, err := f.send()
		return cmp.Or(err, pathError("fsync", f.name, errors.ErrUnsupported))
	}
	_, err := f.do("fsync", f.syncRequest())
	return err
}

func (f *file) syncRequest() pipeline.Request {
	return pipeline.Request{Type: pipeline.TypeExtended, On: "fsync@openssh.com", Rest: pipeline.AppendString(nil, f.handle)}
}

// Close implements [vfs.File]. Its error is that of what was kept, if that has failed. It does not wait for the answer if
// the file was only read: then nothing can be lost.
func (f *file) Close() error {
	f.mu.Lock()
	early := f.early
	f.early = false
	if f.reads.ahead != nil {
		f.d.s.unread.Store(true)
	}
	f.mu.Unlock()
	if early {
		return f.failed
	}
	f.channel.busy.Add(1)
	defer f.channel.put()
	answers, err := f.send(f.closeRequest())
	if len(answers) == 0 {
		return pathError("close", f.name, unwrapped(err))
	}
	f.mu.Lock()
	f.closed = true
	err = f.failed
	f.mu.Unlock()
	if !f.mode.Writes() {
		return nil
	}
	_, closeErr := f.d.s.wait(answers[0], pipeline.TypeStatus)
	return cmp.Or(err, f.failure("close", closeErr, 0))
}
