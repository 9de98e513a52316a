package files

import (
	"io/fs"
	"sync"

	"psync/internal/buffer"
	"psync/internal/vfs"
	"psync/internal/vfs/remotefs/session"
	"psync/internal/wire"
)

// An asyncFile is a new file. If it is small, nothing is sent until it is complete. What is kept counts as sent and not
// acknowledged, so all workers together keep no more than the window allows. Room is reserved when the file is opened,
// so that its writer does not read more of the source than there is room for.
type asyncFile struct {
	*Writer
	d    Base
	perm fs.FileMode

	mu       sync.Mutex // guards what follows
	sent     bool       // the file is being made on the server, and writes are sent at once
	parts    []wire.Part
	buffers  []*buffer.Buffer // that hold parts
	reserved int              // bytes reserved in the window
	held     int              // bytes in parts
	size     int64            // of the file
}

// CreateAsync makes a new file as [vfs.Dir] does with CreateAsync.
func CreateAsync(d Base, name string, perm fs.FileMode) vfs.File {
	d.Touch(name)
	d.Client.Window.Reserve(small)
	f := &asyncFile{d: d, perm: perm, reserved: small}
	f.Writer = newWriter(d, name, d.Client.NewHandle())
	f.Writer.begin = f.flush
	d.Handle.Keep() // until the file is closed
	return f
}

// flush makes the file on the server, and sends what was kept.
func (f *asyncFile) flush() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.flushLocked()
}

func (f *asyncFile) flushLocked() {
	if f.sent {
		return
	}
	f.sent = true
	f.leaveWindowLocked()
	f.Writer.create(f.perm, vfs.Create, true)
	end := int64(0)
	for _, p := range f.parts {
		f.Writer.send(p.Data, p.Off)
		end = max(end, p.Off+int64(len(p.Data)))
	}
	f.dropLocked()
	if f.size != end {
		f.Writer.truncate(f.size)
	}
}

// leaveWindowLocked returns the file's share of the window before its bytes are sent in requests of their own.
func (f *asyncFile) leaveWindowLocked() {
	f.Client.Window.Use(f.reserved, -f.held)
	f.reserved, f.held = 0, 0
}

// dropLocked forgets what was kept.
func (f *asyncFile) dropLocked() {
	for _, b := range f.buffers {
		b.Free()
	}
	f.parts, f.buffers = nil, nil
}

// WriteAt implements [vfs.File].
func (f *asyncFile) WriteAt(p []byte, off int64) (int, error) {
	f.mu.Lock()
	if !f.sent && off >= 0 && f.admitLocked(len(p)) {
		defer f.mu.Unlock()
		f.keepLocked(p, off)
		return len(p), nil
	}
	f.flushLocked()
	f.mu.Unlock()
	return f.Writer.WriteAt(p, off)
}

// admitLocked reports whether n more bytes may be kept. It does not wait, since all files might then wait for each
// other.
func (f *asyncFile) admitLocked(n int) bool {
	if f.held+n > small {
		return false
	}
	if f.reserved > 0 {
		f.Client.Window.Use(f.reserved, n)
		f.reserved = 0
	} else if !f.Client.Window.TryTake(n) {
		return false
	}
	f.held += n
	return true
}

// keepLocked keeps bytes. It appends them to the last part if they follow it and there is room.
func (f *asyncFile) keepLocked(p []byte, off int64) {
	f.size = max(f.size, off+int64(len(p)))
	if n := len(f.parts); n > 0 {
		last := &f.parts[n-1]
		if have := len(last.Data); last.Off+int64(have) == off && cap(last.Data)-have >= len(p) {
			last.Data = append(last.Data, p...)
			return
		}
	}
	b := buffer.New(len(p))
	f.buffers = append(f.buffers, b)
	f.parts = append(f.parts, wire.Part{Off: off, Data: append(b.Bytes[:0], p...)})
}

// Truncate implements [vfs.File].
func (f *asyncFile) Truncate(size int64) error {
	f.mu.Lock()
	if !f.sent && size >= f.size {
		defer f.mu.Unlock()
		f.size = size
		return nil
	}
	f.flushLocked()
	f.mu.Unlock()
	return f.Writer.Truncate(size)
}

// Commit implements [vfs.File].
func (f *asyncFile) Commit(changes []vfs.Change, sync bool) (errs []error, err error) {
	defer f.d.Handle.Release()
	f.mu.Lock()
	sent := f.sent
	f.mu.Unlock()
	f.d.Touch(f.Name)
	defer f.d.Touch(f.Name)
	if sent {
		return f.Writer.finish(changes, sync)
	}
	defer f.forget()
	in := f.d.Handle.Use()
	defer f.d.Handle.Release()
	a, err := session.Ask[*wire.SetAnswer](f.Client.Session, &wire.Put{
		Dir: in, Name: f.Name, Perm: f.perm, Size: f.size, Parts: f.parts, Changes: changes, Sync: sync,
	})
	if err == nil {
		errs, err = f.Client.changed(f.Name, changes, a)
	}
	if err == nil {
		err = a.Failure.Err()
	}
	return errs, session.PathError("create", f.Name, err)
}

// forget drops what was kept, after it has arrived or if it will not be sent.
func (f *asyncFile) forget() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.dropLocked()
	f.Client.Window.Use(f.reserved, 0)
	f.Client.Window.Ack(f.held)
	f.reserved, f.held = 0, 0
}

// Close implements [vfs.File]. Nothing is left of the file.
func (f *asyncFile) Close() error {
	defer f.d.Handle.Release()
	f.d.Touch(f.Name)
	defer f.d.Touch(f.Name)
	f.mu.Lock()
	sent := f.sent
	f.mu.Unlock()
	if sent {
		return f.Writer.discard()
	}
	f.forget()
	return nil
}
