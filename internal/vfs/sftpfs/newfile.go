package sftpfs

import (
	"bytes"
	"cmp"
	"errors"
	"io/fs"
	"time"

	"psync/internal/vfs"
	"psync/internal/vfs/sftpfs/pipeline"
)

// Of a new file, what nothing depends on is kept until the next request, so that a small file takes two round trips: one
// opens it; the other sets its mode, writes all of it, closes it and, if the server carries out requests one after the
// other, sets its times.

// A keptCall is a request that is still to be sent, and what to call it in errors.
type keptCall struct {
	op string
	pipeline.Request
}

// create makes a file. No data is written before it has its mode.
func (d *dir) create(name string, perm fs.FileMode) (vfs.File, error) {
	if !isName(name) {
		return nil, pathError("create", name, errNotName())
	}
	p := d.at(name)
	f, err := d.open(name, p, vfs.Create, pipeline.Create(p, perm))
	if err != nil {
		return nil, d.makeError("create", name, err)
	}
	d.s.ids.gone(p)
	d.s.cache.made(p, ofType(0o100000))
	f.ino = d.s.ids.of(p)
	f.kept = []keptCall{{"chmod", f.setRequest(pipeline.ModeAttrs(perm.Perm()))}}
	return f, nil
}

// send sends what is kept, and then the requests. It waits for the former, and returns their error.
func (f *file) send(requests ...pipeline.Request) ([]<-chan pipeline.Answer, error) {
	f.mu.Lock()
	kept := f.kept
	f.kept = nil
	if f.closed {
		f.mu.Unlock()
		return nil, fs.ErrClosed
	}
	all := make([]pipeline.Request, 0, len(kept)+len(requests))
	for _, k := range kept {
		all = append(all, k.Request)
	}
	answers := f.channel.pipeline.Send(append(all, requests...)...)
	f.mu.Unlock()
	var err error
	for i, k := range kept {
		_, failed := f.d.s.wait(answers[i], pipeline.TypeStatus)
		err = cmp.Or(err, f.failure(k.op, failed, len(k.Data)))
	}
	f.fail(err)
	return answers[len(kept):], err
}

// fail has closing the file fail because of err, unless that is nil.
func (f *file) fail(err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.failed = cmp.Or(f.failed, err)
}

// doAfter is do for a request that must follow what is kept: some servers carry out writes beside other requests.
func (f *file) doAfter(op string, r pipeline.Request) error {
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
	first := f.mode == vfs.Create && !f.wrote && !f.closed && len(p) <= pipeline.MaxData
	f.wrote, f.small = true, first
	if first {
		f.kept = append(f.kept, keptCall{"write", pipeline.Write(f.handle, bytes.Clone(p), off)})
	}
	return first
}

// chtimes sets the times of a new file by its path once it is closed: on some file systems of servers, closing it
// changes them. It sends all of that at once, so only Close may be called after it. If a file of several packets could not be
// written to its end, it must not get the times; of a file of one packet, the size shows that.
func (f *file) chtimes(atime, mtime time.Time) error {
	const op = "chtimes"
	if atime.IsZero() {
		atime = mtime // as for everything that this Host has made
	}
	_, aerr := timeOr(atime, 0)
	_, merr := timeOr(mtime, 0)
	err := cmp.Or(aerr, merr)
	if !f.d.s.ext.ordered || f.mode != vfs.Create || f.wrote && !f.small || mtime.IsZero() {
		err = errors.ErrUnsupported
	}
	if err != nil {
		return pathError(op, f.name, err)
	}
	f.channel.busy.Add(1)
	defer f.channel.put()
	answers, err := f.send(f.closeRequest(), pipeline.Request{Type: pipeline.TypeSetstat, On: f.path, Rest: pipeline.TimesAttrs(atime, mtime)})
	if len(answers) == 0 {
		return pathError(op, f.name, unwrapped(err))
	}
	_, closeErr := f.d.s.wait(answers[0], pipeline.TypeStatus)
	_, timesErr := f.d.s.wait(answers[1], pipeline.TypeStatus)
	f.d.s.cache.changed(f.path, true)
	err = cmp.Or(err, f.failure("close", closeErr, 0))
	f.fail(err)
	f.mu.Lock()
	defer f.mu.Unlock()
	f.closed, f.early = true, true
	return cmp.Or(err, f.failure(op, timesErr, 0))
}
