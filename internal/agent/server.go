package agent

import (
	"fmt"

	"psync/internal/localfs"
	"psync/internal/wire"
)

// receive deals with one frame, or has a goroutine deal with it. While as many requests are at work as may be,
// it waits, and so does the client.
func (s *server) receive(f wire.Frame) error {
	s.silence.begin()
	defer s.silence.end()
	if hello, ok := f.Message.(*wire.Hello); ok {
		return s.welcome(f.ID, hello)
	}
	if !s.greeted.Load() {
		return fmt.Errorf("%T came before Hello", f.Message)
	}
	switch m := f.Message.(type) {
	case *wire.Ping:
		return s.send(f.ID, &wire.Done{})
	case *wire.Prepare:
		return s.prepareFor(f.ID, m)
	case *wire.ClearUmask:
		localfs.Host{}.ClearUmask()
		return s.send(f.ID, &wire.Done{})
	case *wire.Close:
		closing, err := s.handles.close(m.Handle)
		if closing != nil {
			s.startAll(s.closeAll(closing))
			s.handles.work.Done()
		}
		if err == nil && f.ID != 0 {
			err = s.send(f.ID, &wire.Done{})
		}
		return err
	}
	r := newRequest(f)
	if r == nil {
		return fmt.Errorf("%T is no request", f.Message)
	}
	start, err := s.handles.admit(r)
	if start {
		s.start(r)
	}
	return err
}

// start has a goroutine deal with a request, when few enough are at work.
func (s *server) start(r *request) {
	cost := s.working.acquire(max(minCost(), r.frame.Size))
	s.handles.releaseParked(r)
	begin := func() {
		defer s.handles.work.Done()
		waiting := s.run(r)
		s.working.release(cost)
		s.startAll(waiting)
	}
	select {
	case s.idle <- begin:
	default:
		go s.work(begin)
	}
}

// work deals with a request, and then with others: the stack of a new goroutine would have to grow for each.
func (s *server) work(begin func()) {
	for {
		begin()
		select {
		case begin = <-s.idle:
		case <-s.over:
			return
		}
	}
}

func (s *server) startAll(waiting []*request) {
	for _, r := range waiting {
		s.start(r)
	}
}

// run deals with a request, and sends the answer. It returns the requests that waited for it.
func (s *server) run(r *request) (waiting []*request) {
	opened, m, err := s.answer(r)
	if err != nil {
		m = wire.ErrorOf(err)
	}
	s.noteChange(r)
	waiting, closing := s.handles.done(r, opened, err)
	waiting = append(waiting, s.closeAll(closing)...)
	if sendErr := s.send(r.frame.ID, m); sendErr != nil && !s.ended.Load() {
		_ = s.send(r.frame.ID, wire.ErrorOf(sendErr)) // it does not fit into a frame; or else the link has ended
	}
	if r.buffer != nil {
		s.recycle(r.buffer)
	}
	r.frame.Release()
	return waiting
}

// closeAll closes directories and files. Files that are unfinished are removed. It returns requests that waited
// for that.
func (s *server) closeAll(closing []*handle) (waiting []*request) {
	for _, h := range closing {
		s.stopAll(h)
		if h.object.dir != nil {
			h.object.dir.Close()
		}
		if s.ended.Load() && (h.changedByOthers() || s.leaves(&h.object)) {
			h.object.unfinished = false
		}
		s.closeFile(&h.object)
		more, dir := s.handles.closed(h)
		waiting = append(append(waiting, more...), s.closeAll(dir)...)
	}
	return waiting
}
