package sftpfs

import (
	"bytes"
	"cmp"
	"errors"
	"io/fs"
	"sync"
	"syscall"

	"psync/internal/vfs"
)

// A newFile is a file that was just made. What nothing depends on is kept until the next request, so that a small file
// takes two round trips: one opens it; the other sets its mode, writes all of it and closes it.
type newFile struct {
	vfs.UnsupportedFile
	d          *dir
	channel    *channel
	handle     string
	name, path string
	ino        uint64

	mu     sync.Mutex // guards what follows
	kept   []keptCall
	failed error // of what was kept: the caller may have taken it for that of another request
	wrote  bool
	closed bool
}

// A keptCall is a request that is still to be sent, and what to call it in errors.
type keptCall struct {
	op string
	request
}

// create makes a file. No data is written before it has its mode.
func (d *dir) create(name string, perm fs.FileMode) (vfs.File, error) {
	if !isName(name) {
		return nil, pathError("create", name, errNotName())
	}
	p, c := d.at(name), d.s.take()
	defer c.put()
	handle, err := d.s.waitHandle(c.pipeline.send(createRequest(p, perm))[0])
	if err != nil {
		return nil, d.makeError("create", name, err)
	}
	d.s.ids.gone(p)
	d.s.cache.made(p, ofType(0o100000))
	f := &newFile{d: d, channel: c, handle: handle, name: name, path: p, ino: d.s.ids.of(p)}
	f.kept = []keptCall{{"chmod", f.setRequest(modeAttrs(perm.Perm()))}}
	return f, nil
}

// setRequest changes attributes of the open file.
func (f *newFile) setRequest(attrs []byte) request {
	return request{typ: typeFsetstat, on: f.handle, rest: attrs}
}

// send sends what is kept, and then the requests. It waits for the former, and returns their error.
func (f *newFile) send(requests ...request) ([]<-chan answer, error) {
	f.mu.Lock()
	kept := f.kept
	f.kept = nil
	if f.closed {
		f.mu.Unlock()
		return nil, fs.ErrClosed
	}
	all := make([]request, 0, len(kept)+len(requests))
	for _, k := range kept {
		all = append(all, k.request)
	}
	answers := f.channel.pipeline.send(append(all, requests...)...)
	f.mu.Unlock()
	var err error
	for i, k := range kept {
		_, failed := f.d.s.wait(answers[i], typeStatus)
		err = cmp.Or(err, f.failure(k.op, failed, len(k.data)))
	}
	if err != nil {
		f.mu.Lock()
		f.failed = cmp.Or(f.failed, err)
		f.mu.Unlock()
	}
	return answers[len(kept):], err
}

// do sends requests that are answered by a status, and waits for all of them. failed is which has failed.
func (f *newFile) do(op string, requests ...request) (failed int, err error) {
	f.channel.busy.Add(1)
	defer f.channel.put()
	answers, err := f.send(requests...)
	if len(answers) == 0 {
		return 0, pathError(op, f.name, unwrapped(err))
	}
	for i, answered := range answers {
		_, no := f.d.s.wait(answered, typeStatus)
		if no = f.failure(op, no, len(requests[i].data)); no != nil && err == nil {
			failed, err = i, no
		}
	}
	return failed, err
}

// doAfter is do for a request that must follow what is kept: some servers carry out writes beside other requests.
func (f *newFile) doAfter(op string, r request) error {
	if _, err := f.send(); err != nil && err != fs.ErrClosed {
		return err
	}
	_, err := f.do(op, r)
	return err
}

// failure returns the error to report for an operation that has failed, or has not stored n bytes.
func (f *newFile) failure(op string, err error, n int) error {
	if err == nil {
		return nil
	}
	err = f.d.s.cause(err, f.path, n)
	if op == "chmod" || op == "chown" {
		return attrError(op, f.name, err)
	}
	return pathError(op, f.name, err)
}

// Statx implements [vfs.File]. There is no cache in between.
func (f *newFile) Statx(want vfs.StatxWant) (vfs.Attr, error) {
	if want == vfs.StatxID {
		return vfs.Attr{Dev: f.d.s.dev, Ino: f.ino}, nil
	}
	_, err := f.send() // some servers carry out writes beside other requests
	var a attrs
	if err == nil {
		a, err = f.stat()
	}
	if err != nil {
		return vfs.Attr{}, pathError("stat", f.name, unwrapped(err))
	}
	return f.d.s.attr(a, f.ino), nil
}

func (f *newFile) stat() (attrs, error) {
	f.channel.busy.Add(1)
	defer f.channel.put()
	answers, err := f.send(request{typ: typeFstat, on: f.handle})
	if len(answers) == 0 { // f is closed
		return attrs{}, err
	}
	a, failed := f.d.s.waitAttrs(answers[0])
	return a, cmp.Or(err, failed)
}

func (f *newFile) ReadAt([]byte, int64) (int, error) {
	return 0, pathError("read", f.name, syscall.EBADF)
}

// WriteAt implements [vfs.File]. It keeps the first packet of the file if that is all it gets.
func (f *newFile) WriteAt(p []byte, off int64) (n int, err error) {
	if off < 0 {
		return 0, pathError("write", f.name, syscall.EINVAL)
	}
	f.d.s.cache.changed(f.path, false)
	if f.keep(p, off) {
		return len(p), nil
	}
	var requests []request
	for ; n < len(p); n += packet {
		requests = append(requests, writeRequest(f.handle, p[n:min(n+packet, len(p))], off+int64(n)))
	}
	failed, err := f.do("write", requests...)
	if err != nil {
		return min(failed*packet, len(p)), err
	}
	return len(p), nil
}

// keep reports whether it has kept p for the next request.
func (f *newFile) keep(p []byte, off int64) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	first := !f.wrote && !f.closed && len(p) <= packet
	f.wrote = true
	if first {
		f.kept = append(f.kept, keptCall{"write", writeRequest(f.handle, bytes.Clone(p), off)})
	}
	return first
}

func (f *newFile) Truncate(size int64) error {
	if size < 0 {
		return pathError("truncate", f.name, syscall.EINVAL)
	}
	f.d.s.cache.changed(f.path, false)
	return f.doAfter("truncate", f.setRequest(sizeAttrs(size)))
}

// Set implements [vfs.Node]. Times are set by path, once the file is closed: some servers write in the background.
func (f *newFile) Set(changes []vfs.Change) []error {
	f.d.s.cache.changed(f.path, false)
	return vfs.SetEach(changes, func(c *vfs.Change) (err error) {
		switch c.Kind {
		case vfs.OwnerChange:
			return f.chown(c.UID, c.GID)
		case vfs.ModeChange:
			if c.Mode&(fs.ModeSetuid|fs.ModeSetgid) != 0 { // which a write takes away
				return f.doAfter("chmod", f.setRequest(modeAttrs(c.Mode)))
			}
			_, err = f.do("chmod", f.setRequest(modeAttrs(c.Mode)))
			return err
		}
		return pathError(c.Kind.String(), f.name, errors.ErrUnsupported)
	})
}

func (f *newFile) chown(uid, gid int) error {
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
	_, err := f.do("chown", f.setRequest(ownerAttrs(uid, gid)))
	return err
}

func (f *newFile) Sync() error {
	if !f.d.s.ext.fsync {
		_, err := f.send()
		return cmp.Or(err, pathError("fsync", f.name, errors.ErrUnsupported))
	}
	_, err := f.do("fsync", f.syncRequest())
	return err
}

func (f *newFile) syncRequest() request {
	return request{typ: typeExtended, on: "fsync@openssh.com", rest: appendString(nil, f.handle)}
}

// Close implements [vfs.File]. Its error is that of what was kept, if that has failed.
func (f *newFile) Close() error {
	f.channel.busy.Add(1)
	defer f.channel.put()
	answers, err := f.send(request{typ: typeClose, on: f.handle})
	if len(answers) == 0 {
		return pathError("close", f.name, unwrapped(err))
	}
	f.mu.Lock()
	f.closed = true
	err = f.failed
	f.mu.Unlock()
	_, closeErr := f.d.s.wait(answers[0], typeStatus)
	return cmp.Or(err, f.failure("close", closeErr, 0))
}
