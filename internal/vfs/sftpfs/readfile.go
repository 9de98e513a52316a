package sftpfs

import (
	"io"
	"io/fs"
	"syscall"

	"psync/internal/vfs"
	"psync/internal/vfs/sftpfs/pipeline"
)

// reads are what is known of a file that is open for reading. A server that carries out the requests of a channel one
// after the other is asked for all of a small file, and for its attributes once it was read, together with those that it
// has when it is opened. So it takes two round trips: one opens it, the other does all the rest. Of a larger file, the last bytes
// come with the attributes after them.
type reads struct {
	size   int64                    // as last reported by the server, or -1
	listed int64                    // as a listing reported it
	ahead  []<-chan pipeline.Answer // of requests for all of the contents, which were sent with the first for the attributes
	after  <-chan pipeline.Answer   // attributes that were asked for after the last request for contents
}

const (
	maxAhead  = 2 * pipeline.MaxData  // the size of files that are read before the caller asks
	maxPacked = 64 * pipeline.MaxData // that are asked for at once
)

// sized records the size that the server has reported, or that it is unknown.
func (f *file) sized(size int64, err error) {
	if err != nil {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.reads.size = size
}

// takeAfter returns the answer with the attributes of now, if they were asked for after all contents that the caller has got.
func (f *file) takeAfter(want vfs.StatxWant) (after <-chan pipeline.Answer) {
	if want != vfs.StatxChange {
		return nil
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.reads.ahead != nil {
		return nil
	}
	after, f.reads.after = f.reads.after, nil
	return after
}

// statAhead asks for the attributes, and in addition for the contents of a small file, unless the last file of which that
// was done was closed without being read.
func (f *file) statAhead() (attrs, error) {
	f.mu.Lock()
	size := f.reads.listed
	f.reads.listed = 0
	f.mu.Unlock()
	if size <= 0 || size > maxAhead || !f.d.s.ext.ordered || f.d.s.unread.Load() {
		return f.stat()
	}
	f.channel.busy.Add(1)
	defer f.channel.put()
	requests := []pipeline.Request{f.statRequest()}
	for off := int64(0); off < size; off += pipeline.MaxData {
		requests = append(requests, pipeline.Read(f.handle, int(min(pipeline.MaxData, size-off)), off))
	}
	answers, err := f.send(append(requests, f.statRequest())...)
	if len(answers) == 0 { // f is closed
		return attrs{}, err
	}
	a, err := f.d.s.waitAttrs(answers[0])
	if err == nil {
		f.mu.Lock()
		defer f.mu.Unlock()
		last := len(answers) - 1
		f.reads.size, f.reads.ahead, f.reads.after = a.size, answers[1:last], answers[last]
	}
	return a, err
}

// ReadAt implements [vfs.File]. It asks for nothing beyond the end of the file that Stat last reported, so that a small
// file takes one request, not one for each packet that would fit into p.
func (f *file) ReadAt(p []byte, off int64) (n int, err error) {
	switch {
	case off < 0:
		return 0, pathError("read", f.name, syscall.EINVAL)
	case f.mode == vfs.Create:
		return 0, pathError("read", f.name, syscall.EBADF)
	}
	all := len(p)
	f.mu.Lock()
	size, ahead := f.reads.size, f.reads.ahead
	f.reads.ahead = nil
	f.mu.Unlock()
	if size >= 0 {
		p = p[:min(int64(all), max(size-off, 0))]
	}
	if off == 0 && ahead != nil {
		n, err = f.waitData(p, ahead)
	}
	for n < len(p) && err == nil {
		var m int
		m, err = f.read(p[n:min(len(p), n+maxPacked)], off+int64(n), size)
		n += m
	}
	switch {
	case err == io.EOF, err == nil && n < all:
		return n, io.EOF
	case err != nil:
		return n, pathError("read", f.name, err)
	}
	return n, nil
}

// read asks for some of the contents. size is that of the file, or -1.
func (f *file) read(p []byte, off, size int64) (int, error) {
	f.d.s.unread.Store(false)
	var requests []pipeline.Request
	for n := 0; n < len(p); n += pipeline.MaxData {
		requests = append(requests, pipeline.Read(f.handle, min(pipeline.MaxData, len(p)-n), off+int64(n)))
	}
	toEnd := !f.mode.Writes() && f.d.s.ext.ordered && off+int64(len(p)) == size
	if toEnd {
		requests = append(requests, f.statRequest())
	}
	f.mu.Lock()
	if f.closed {
		f.mu.Unlock()
		return 0, fs.ErrClosed
	}
	answers := f.channel.pipeline.Send(requests...)
	f.reads.after = nil
	if toEnd {
		f.reads.after, answers = answers[len(answers)-1], answers[:len(answers)-1]
	}
	f.mu.Unlock()
	return f.waitData(p, answers)
}

// waitData waits for the packets of p. If one is shorter, it returns what is before the gap.
func (f *file) waitData(p []byte, answers []<-chan pipeline.Answer) (n int, err error) {
	f.channel.busy.Add(1)
	defer f.channel.put()
	for i := 0; i < len(answers) && n == i*pipeline.MaxData && n < len(p) && err == nil; i++ {
		var data []byte
		if data, err = f.d.s.waitString(answers[i], pipeline.TypeData); err == nil {
			n += copy(p[n:min(n+pipeline.MaxData, len(p))], data)
		}
		if err == nil && len(data) == 0 {
			err = io.EOF
		}
	}
	return n, err
}
