package remotefs

import (
	"io/fs"
	"sync"

	"psync/internal/vfs"
	"psync/internal/vfs/remotefs/session"
	"psync/internal/wire"
)

// A lateFile is a new file. If it is small, nothing is sent until it is complete. What is kept counts as sent and not
// acknowledged, so all workers together keep no more than the window allows. Room is reserved when the file is opened,
// so that its writer does not read more of the source than there is room for.
type lateFile struct {
	*writeFile
	d    base
	perm fs.FileMode

	mu       sync.Mutex // guards what follows
	sent     bool       // the file is being made on the server, and writes are sent at once
	parts    []wire.Part
	buffers  []*wire.Buffer // that hold parts
	reserved int            // bytes reserved in the window
	held     int            // bytes in parts
	size     int64          // of the file
}

// newLateFile implements [Dir.OpenFile] with CreateLate.
func newLateFile(d base, name string, perm fs.FileMode) *lateFile {
	d.touch(name)
	d.s.Window.Reserve(small)
	f := &lateFile{d: d, perm: perm, reserved: small}
	f.writeFile = newWriteFile(d, name, d.s.NewHandle())
	f.writeFile.begin = f.create
	d.handle.Keep() // until the file is closed
	return f
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
	f.leaveWindowLocked()
	f.writeFile.create(f.perm, wire.CreateNew, true)
	end := int64(0)
	for _, p := range f.parts {
		f.writeFile.send(p.Data, p.Off)
		end = max(end, p.Off+int64(len(p.Data)))
	}
	f.dropLocked()
	if f.size != end {
		f.writeFile.truncate(f.size)
	}
}

// leaveWindowLocked returns the file's share of the window before its bytes are sent in requests of their own.
func (f *lateFile) leaveWindowLocked() {
	f.s.Window.Use(f.reserved, -f.held)
	f.reserved, f.held = 0, 0
}

// dropLocked forgets what was kept.
func (f *lateFile) dropLocked() {
	for _, b := range f.buffers {
		b.Free()
	}
	f.parts, f.buffers = nil, nil
}

// WriteAt implements [vfs.File].
func (f *lateFile) WriteAt(p []byte, off int64) (int, error) {
	f.mu.Lock()
	if !f.sent && off >= 0 && f.admitLocked(len(p)) {
		defer f.mu.Unlock()
		f.keepLocked(p, off)
		return len(p), nil
	}
	f.makeLocked()
	f.mu.Unlock()
	return f.writeFile.WriteAt(p, off)
}

// admitLocked reports whether n more bytes may be kept. It does not wait, since all files might then wait for each
// other.
func (f *lateFile) admitLocked(n int) bool {
	if f.held+n > small {
		return false
	}
	if f.reserved > 0 {
		f.s.Window.Use(f.reserved, n)
		f.reserved = 0
	} else if !f.s.Window.TryTake(n) {
		return false
	}
	f.held += n
	return true
}

// keepLocked keeps bytes. It appends them to the last part if they follow it and there is room.
func (f *lateFile) keepLocked(p []byte, off int64) {
	f.size = max(f.size, off+int64(len(p)))
	if n := len(f.parts); n > 0 {
		last := &f.parts[n-1]
		if have := len(last.Data); last.Off+int64(have) == off && cap(last.Data)-have >= len(p) {
			last.Data = append(last.Data, p...)
			return
		}
	}
	b := wire.NewBuffer(len(p))
	f.buffers = append(f.buffers, b)
	f.parts = append(f.parts, wire.Part{Off: off, Data: append(b.Bytes[:0], p...)})
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

// Commit implements [vfs.File].
func (f *lateFile) Commit(changes []vfs.Change, sync bool) (errs []error, err error) {
	defer f.d.handle.Release()
	f.mu.Lock()
	sent := f.sent
	f.mu.Unlock()
	f.d.touch(f.name)
	defer f.d.touch(f.name)
	if sent {
		return f.writeFile.finish(changes, sync)
	}
	defer f.forget()
	in := f.d.handle.Use()
	defer f.d.handle.Release()
	a, err := session.Ask(f.s.Session, &wire.Put{Dir: in, Name: f.name, Perm: f.perm, Size: f.size, Parts: f.parts, Changes: changes, Sync: sync})
	if err == nil {
		errs, err = f.s.changed(f.name, changes, a)
	}
	if err == nil {
		err = a.Failure.Err()
	}
	return errs, session.PathError("create", f.name, err)
}

// forget drops what was kept, after it has arrived or if it will not be sent.
func (f *lateFile) forget() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.dropLocked()
	f.s.Window.Use(f.reserved, 0)
	f.s.Window.Give(f.held)
	f.reserved, f.held = 0, 0
}

// Close implements [vfs.File].
func (f *lateFile) Close() error {
	_, err := f.Commit(nil, false)
	return err
}

// Discard implements [vfs.File].
func (f *lateFile) Discard() error {
	defer f.d.handle.Release()
	f.d.touch(f.name)
	defer f.d.touch(f.name)
	f.mu.Lock()
	sent := f.sent
	f.mu.Unlock()
	if sent {
		return f.writeFile.discard()
	}
	f.forget()
	return nil
}
