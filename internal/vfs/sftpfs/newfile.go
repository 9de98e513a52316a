package sftpfs

import (
	"bytes"
	"cmp"
	"io/fs"

	"psync/internal/vfs"
)

// Of a new file, what nothing depends on is kept until the next request, so that a small file takes two round trips: one
// opens it; the other sets its mode, writes all of it and closes it.

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
	p := d.at(name)
	f, err := d.open(name, p, vfs.Create, createRequest(p, perm))
	if err != nil {
		return nil, d.makeError("create", name, err)
	}
	d.s.ids.gone(p)
	d.s.cache.made(p, ofType(0o100000))
	f.ino = d.s.ids.of(p)
	f.kept = []keptCall{{"chmod", f.setRequest(modeAttrs(perm.Perm()))}}
	return f, nil
}

// send sends what is kept, and then the requests. It waits for the former, and returns their error.
func (f *file) send(requests ...request) ([]<-chan answer, error) {
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

// doAfter is do for a request that must follow what is kept: some servers carry out writes beside other requests.
func (f *file) doAfter(op string, r request) error {
	if _, err := f.send(); err != nil && err != fs.ErrClosed {
		return err
	}
	_, err := f.do(op, r)
	return err
}

// keep reports whether it has kept p for the next request.
func (f *file) keep(p []byte, off int64) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	first := f.mode == vfs.Create && !f.wrote && !f.closed && len(p) <= packet
	f.wrote = true
	if first {
		f.kept = append(f.kept, keptCall{"write", writeRequest(f.handle, bytes.Clone(p), off)})
	}
	return first
}
