package session

import (
	"sync"

	"psync/internal/lazymap"
	"psync/internal/wire"
)

// A Directory is a directory that is open on the server, or that will be opened when it is first needed: its entry
// was listed, so its attributes are known without opening it. It is closed when it is no longer used by a Dir, by a
// pending request, or by a directory below it that is not open yet.
type Directory struct {
	s *Session

	mu       sync.Mutex // guards what follows
	number   wire.Handle
	parent   *Directory // the directory to open it in, while number is 0
	name     string
	users    int
	unopened map[*Directory]bool // directories below it whose opening by name has not been answered yet

	info   *wire.DirInfo // the server's answer
	err    error         // or why opening it failed
	opened chan struct{} // closed when info or err is set; nil while number is 0
}

// Opened returns a handle for a directory that a request of the caller opens.
func Opened(s *Session, h wire.Handle) *Directory {
	return &Directory{s: s, number: h, users: 1, opened: make(chan struct{})}
}

// Unopened returns a handle for the directory called name in parent, which will be opened when it is needed.
func Unopened(parent *Directory, name string) *Directory {
	o := &Directory{s: parent.s, parent: parent, name: name, users: 1}
	parent.mu.Lock()
	defer parent.mu.Unlock()
	parent.users++
	lazymap.Set(&parent.unopened, o, true)
	return o
}

// Use returns the handle for a request. The caller calls release when the request is answered.
func (o *Directory) Use() wire.Handle {
	o.mu.Lock()
	o.users++
	if o.number != 0 {
		defer o.mu.Unlock()
		return o.number
	}
	o.number, o.opened = o.s.NewHandle(), make(chan struct{})
	parent, h := o.parent, o.number
	o.parent = nil
	o.users++ // by the request
	o.mu.Unlock()
	in := parent.Use()
	Post(o.s, &wire.OpenDir{New: h, Dir: in, Name: o.name}, func(a *wire.Opened, err error) {
		o.Answered(a, PathError("open", o.name, err))
		parent.Release()
		parent.forget(o)
		o.Release()
	})
	return h
}

// Keep keeps the directory until the caller calls Release, and does not open it.
func (o *Directory) Keep() {
	o.mu.Lock()
	o.users++
	o.mu.Unlock()
}

// Answered records the server's answer to opening the directory.
func (o *Directory) Answered(a *wire.Opened, err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.err = err; err == nil {
		o.info = &a.DirInfo
		o.info.Attr = o.s.Attr(o.info.Attr)
	}
	close(o.opened)
}

// Info waits until the directory is open and returns what is known about it.
func (o *Directory) Info() (*wire.DirInfo, error) {
	o.mu.Lock()
	opened := o.opened
	o.mu.Unlock()
	if opened == nil {
		o.Use()
		defer o.Release()
		o.mu.Lock()
		opened = o.opened
		o.mu.Unlock()
	}
	<-opened
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.info, o.err
}

// forget records that a directory below o no longer waits to be opened in o.
func (o *Directory) forget(below *Directory) {
	o.mu.Lock()
	delete(o.unopened, below)
	o.mu.Unlock()
	o.Release()
}

// Release ends a use.
func (o *Directory) Release() {
	o.mu.Lock()
	o.users--
	if o.users > 0 {
		o.mu.Unlock()
		return
	}
	h, parent := o.number, o.parent
	o.parent = nil
	o.mu.Unlock()
	if h != 0 {
		o.s.CloseHandle(h)
	} else if parent != nil {
		parent.forget(o)
	}
}

// OpenBelow opens the directories called name that are not open yet: the name is about to mean a different entry.
func (o *Directory) OpenBelow(name string) {
	o.mu.Lock()
	var below []*Directory
	for b := range o.unopened {
		if b.name == name {
			below = append(below, b)
		}
	}
	o.mu.Unlock()
	for _, b := range below {
		_, _ = b.Info() // its users get the error
	}
}

// NewHandle returns a new handle.
func (s *Session) NewHandle() wire.Handle { return wire.Handle(s.handles.Add(1)) }

// CloseHandle makes the server close a directory or file. It does not block, so answer functions may call it.
func (s *Session) CloseHandle(h wire.Handle) {
	s.mu.Lock()
	s.closing = append(s.closing, h)
	s.mu.Unlock()
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// closeHandles asks the server to close what is no longer used, until the link ends.
func (s *Session) closeHandles() {
	for {
		select {
		case <-s.wake:
		case <-s.link.Done():
			return
		}
		s.mu.Lock()
		closing := s.closing
		s.closing = nil
		s.mu.Unlock()
		for _, h := range closing {
			_ = s.link.SendLater(wire.Frame{Message: &wire.Close{Handle: h}}) // only the link can fail, which others notice
		}
	}
}
