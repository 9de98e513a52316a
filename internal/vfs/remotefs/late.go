package remotefs

import (
	"io/fs"
	"sync"

	"psync/internal/metadata"
	"psync/internal/vfs"
	"psync/internal/wire"
)

const (
	// small is how many bytes of a new file are kept until it is complete, and go with one request.
	small = 256 << 10
	// piece is how many bytes of a larger file a request reads or writes.
	piece = 256 << 10
)

// A lateFile is a new file. If it is small, nothing is sent until it is complete.
type lateFile struct {
	*writeFile
	d    *Dir
	perm fs.FileMode

	mu    sync.Mutex // guards what follows
	sent  bool       // the file is being made on the server, and what is written is sent at once
	parts []wire.Part
	held  int   // bytes in parts
	size  int64 // of the file
}

// CreateLate implements [vfs.Dir].
func (d *Dir) CreateLate(name string, perm fs.FileMode) (vfs.File, error) {
	d.touch(name)
	f := &lateFile{d: d, perm: perm}
	f.writeFile = newWriteFile(d, name, d.s.handle())
	f.writeFile.begin = f.create
	d.o.mu.Lock()
	d.o.users++ // until the file is closed
	d.o.mu.Unlock()
	return f, nil
}

// create makes the file on the server, and sends what was kept.
func (f *lateFile) create() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.makeLocked()
}

func (f *lateFile) makeLocked() {
	if f.sent {
		return
	}
	f.sent = true
	f.writeFile.create(f.perm, wire.CreateNew, true)
	end := int64(0)
	for _, p := range f.parts {
		f.writeFile.send(p.Data, p.Off)
		end = max(end, p.Off+int64(len(p.Data)))
	}
	f.parts = nil
	if f.size != end {
		f.writeFile.truncate(f.size)
	}
}

// WriteAt implements [vfs.File].
func (f *lateFile) WriteAt(p []byte, off int64) (int, error) {
	f.mu.Lock()
	if !f.sent && off >= 0 && f.held+len(p) <= small {
		defer f.mu.Unlock()
		f.keep(p, off)
		return len(p), nil
	}
	f.makeLocked()
	f.mu.Unlock()
	return f.writeFile.WriteAt(p, off)
}

// keep keeps bytes. Those that follow what was written last are added to it.
func (f *lateFile) keep(p []byte, off int64) {
	f.held += len(p)
	f.size = max(f.size, off+int64(len(p)))
	if n := len(f.parts); n > 0 {
		if last := &f.parts[n-1]; last.Off+int64(len(last.Data)) == off {
			last.Data = append(last.Data, p...)
			return
		}
	}
	f.parts = append(f.parts, wire.Part{Off: off, Data: append([]byte(nil), p...)})
}

// Truncate implements [vfs.File].
func (f *lateFile) Truncate(size int64) error {
	f.mu.Lock()
	if !f.sent && size >= f.size {
		defer f.mu.Unlock()
		f.size = size
		return nil
	}
	f.makeLocked()
	f.mu.Unlock()
	return f.writeFile.Truncate(size)
}

// Finish implements [metadata.LateFile].
func (f *lateFile) Finish(ops []metadata.Op, sync bool) (errs []error, err error) {
	defer f.d.o.release()
	f.mu.Lock()
	sent := f.sent
	f.mu.Unlock()
	f.d.touch(f.name)
	defer f.d.touch(f.name)
	if sent {
		return f.writeFile.finish(ops, sync)
	}
	f.s.window.take(f.held)
	defer f.s.window.give(f.held)
	in := f.d.o.use()
	defer f.d.o.release()
	a, err := ask[*wire.Carried](f.s, &wire.Put{Dir: in, Name: f.name, Perm: f.perm, Size: f.size, Parts: f.parts, Ops: ops, Sync: sync})
	f.parts = nil
	if err != nil {
		return nil, pathError("create", f.name, err)
	}
	return f.s.carried(f.name, ops, a), pathError("create", f.name, a.Failure.Err())
}

// Close implements [vfs.File].
func (f *lateFile) Close() error {
	_, err := f.Finish(nil, false)
	return err
}

// Discard implements [metadata.LateFile].
func (f *lateFile) Discard() error {
	defer f.d.o.release()
	f.d.touch(f.name)
	defer f.d.touch(f.name)
	f.mu.Lock()
	defer f.mu.Unlock()
	f.parts = nil
	if !f.sent {
		return nil
	}
	return f.writeFile.discard()
}
