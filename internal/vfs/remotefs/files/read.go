package files

import (
	"io"
	"sync"
	"sync/atomic"
	"syscall"

	"psync/internal/vfs"
	"psync/internal/vfs/remotefs/session"
	"psync/internal/wire"
)

// A readFile is a file that is open for reading. The contents of a small file came when it was opened, and the server
// has already closed it.
type readFile struct {
	vfs.UnsupportedFile
	*Node
	s    *Client
	d    Base
	name string
	how  vfs.Resolve

	inOrder atomic.Bool // Advise was called with Sequential

	mu         sync.Mutex // guards what follows
	got        *wire.Got
	frame      wire.Frame  // the frame that holds the contents
	extra      *vfs.Extra  // what came with it unasked, unless that has changed
	h          wire.Handle // 0: not open on the server
	statCalled bool        // Stat was called
	changed    bool        // Statx was called: what came with opening no longer counts as current
	ahead      readAhead
}

// Open opens a file for reading.
func Open(d Base, name string, how vfs.Resolve) (vfs.File, error) {
	r := &readFile{s: d.Client, d: d, name: name, how: how}
	if err := r.get(small); err != nil {
		return nil, err
	}
	r.ahead.open(r.s, r.got.Attr.Size)
	d.Handle.Use() // until the file is closed
	r.Node = &Node{
		Client: d.Client, Name: name,
		Target: r.target,
		Look:   r.Statx,
		Extra:  func() *vfs.Extra { return r.extra },
		Touch: func() {
			d.Touch(name)
			r.mu.Lock()
			r.extra = nil
			r.mu.Unlock()
		},
	}
	return r, nil
}

// get opens the file, and gets its contents if it is not larger than most.
func (r *readFile) get(most int) error {
	h := r.s.NewHandle()
	in := r.d.Handle.Use()
	defer r.d.Handle.Release()
	if most > 0 {
		n := int(r.s.usual.Load())
		r.s.Window.Expect(n)
		defer r.s.Window.Expect(-n)
	}
	got, frame, err := session.AskFrame[*wire.Got](r.s.Session, &wire.Get{New: h, Dir: in, Name: r.name, How: r.how, Max: uint32(most)})
	if err != nil {
		return session.PathError("open", r.name, err)
	}
	if got.Whole && len(got.Data) > most {
		return r.s.Reject("a larger file than asked for")
	}
	if most > 0 {
		r.s.usual.Store(int64(len(got.Data)))
	}
	got.Attr, got.After = r.s.Attr(got.Attr), r.s.Attr(got.After)
	if !got.Whole && r.got != nil && got.Attr.ID() != r.got.Attr.ID() {
		r.s.CloseHandle(h)
		return session.PathError("open", r.name, syscall.ESTALE) // the name now belongs to another file
	}
	if r.got == nil {
		r.got, r.frame = got, frame
		r.extra = session.ExtraOf(r.name, got.Extra, r.s.Prepared())
	}
	if !got.Whole {
		r.h = h
	}
	return nil
}

// opens returns the handle of the file, and opens the file again if necessary.
func (r *readFile) opens() (wire.Handle, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.h != 0 {
		return r.h, nil
	}
	if err := r.get(0); err != nil {
		return 0, err
	}
	if r.h == 0 {
		return 0, r.s.Reject("a whole file where it was to be opened only")
	}
	return r.h, nil
}

func (r *readFile) session() *Client { return r.s }

func (r *readFile) target() (wire.Target, func(), error) {
	h, err := r.opens()
	return wire.Target{Dir: h}, func() {}, err
}

// stat returns all attributes.
func (r *readFile) stat() (vfs.Attr, error) {
	r.mu.Lock()
	first := !r.statCalled && !r.changed
	r.statCalled = true
	attr := r.got.Attr
	r.mu.Unlock()
	if first {
		return attr, nil
	}
	return r.ask(&wire.Lstat{})
}

// Statx implements [vfs.File].
func (r *readFile) Statx(want vfs.StatxWant) (vfs.Attr, error) {
	switch want {
	case vfs.StatxAll:
		return r.stat()
	case vfs.StatxID:
		return r.got.Attr, nil
	}
	r.mu.Lock()
	first := r.got.Whole && !r.changed
	r.changed = true
	attr := r.got.After
	r.mu.Unlock()
	if first {
		return attr, nil
	}
	return r.ask(&wire.Lstat{Change: true, Fresh: want == vfs.StatxFresh})
}

func (r *readFile) ask(m *wire.Lstat) (vfs.Attr, error) {
	h, err := r.opens()
	if err != nil {
		return vfs.Attr{}, err
	}
	m.Dir = h
	return r.s.AskAttr("stat", r.name, m)
}

// ReadAt implements [vfs.File].
func (r *readFile) ReadAt(p []byte, off int64) (int, error) {
	r.mu.Lock()
	whole := r.got.Whole && !r.changed
	r.mu.Unlock()
	if whole && off >= 0 {
		if off >= int64(len(r.got.Data)) {
			return 0, io.EOF
		}
		n := copy(p, r.got.Data[off:])
		if n < len(p) {
			return n, io.EOF
		}
		return n, nil
	}
	h, err := r.opens()
	if err != nil {
		return 0, err
	}
	if r.inOrder.Load() && r.ahead.read(h, p, off) {
		return len(p), nil
	}
	return readAt(r.s, h, r.name, p, off)
}

// Caps implements [vfs.File].
func (r *readFile) Caps() vfs.Caps { return r.d.Caps()&r.got.Caps | ProtocolCaps }

// NextData implements [vfs.File].
func (r *readFile) NextData(off int64) (start, end int64, err error) {
	h, err := r.opens()
	if err != nil {
		return 0, 0, err
	}
	return nextData(r.s, h, r.name, off)
}

// Advise implements [vfs.File].
func (r *readFile) Advise(a vfs.Advice) error {
	if a == vfs.Sequential {
		r.inOrder.Store(true)
	}
	if a != vfs.DontNeed {
		return nil
	}
	h, err := r.opens()
	if err != nil {
		return err
	}
	r.mu.Lock()
	r.changed = true // so that the contents are read again
	r.mu.Unlock()
	return session.PathError("fsync", r.name, r.s.Do(&wire.Sync{Handle: h}))
}

// Sums implements [vfs.File].
func (r *readFile) Sums(off, n, block int64, key []byte) ([]byte, error) {
	h, err := r.opens()
	if err != nil {
		return nil, err
	}
	return sums(r.s, h, r.name, off, n, block, key)
}

// WriteAt implements [vfs.File]: the file is open for reading.
func (r *readFile) WriteAt([]byte, int64) (int, error) {
	return 0, session.PathError("write", r.name, errReadOnly)
}

// Truncate implements [vfs.File]: the file is open for reading.
func (r *readFile) Truncate(int64) error { return session.PathError("truncate", r.name, errReadOnly) }

// Close implements [vfs.File].
func (r *readFile) Close() error {
	r.mu.Lock()
	h := r.h
	r.got.Data = nil
	r.frame.Release()
	r.frame = wire.Frame{}
	r.mu.Unlock()
	r.ahead.close(h)
	r.d.Handle.Release()
	return nil
}
