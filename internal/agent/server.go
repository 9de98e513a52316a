package agent

import (
	"fmt"
	"syscall"

	"psync/internal/localfs"
	"psync/internal/wire"
)

// A task is the request of some type.
type task interface {
	// needs says what a request needs before it can be answered.
	needs() needs
}

// needs is what must be known of a request before it can be answered.
type needs struct {
	at, other wire.Handle // directories or files that it names; 0 is none
	opens     wire.Handle // the handle of what it opens
	changes   bool        // it changes something other than contents of files that are open
	writes    bool        // Finish waits for it
	spoils    bool        // if it fails, the contents of the file are not what they should be
	finishes  bool        // it is Finish
	forgets   bool        // if it fails, no request waits for what it opens
	after     uint64      // of Finish: how many requests it waits for
	size      int         // bytes that it holds
}

// An answerer answers a request. Directories and files that it names are open; first and second are nil for none.
type answerer interface {
	answer(s *server, first, second *object) (wire.Message, error)
}

// An opener answers a request that opens something.
type opener interface {
	open(s *server, first *object) (object, wire.Message, error)
}

// A lister sends any number of answers, and returns the last one.
type lister interface {
	list(s *server, r *request) (wire.Message, error)
}

// A recycler takes back what an answer has held, once that is sent.
type recycler interface {
	sent(s *server, m wire.Message)
}

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
		return s.send(f.ID, &wire.Umask{Mode: localfs.Host{}.ClearUmask()})
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
	t := taskOf(f.Message)
	if t == nil {
		return fmt.Errorf("%T is no request", f.Message)
	}
	r := &request{frame: f, task: t, needs: t.needs()}
	start, err := s.handles.admit(r)
	if start {
		s.start(r)
	}
	return err
}

// start has a goroutine deal with a request, when few enough are at work.
func (s *server) start(r *request) {
	cost := s.working.acquire(r.cost())
	s.handles.unpark(r)
	go func() {
		defer s.handles.work.Done()
		waiting := s.run(r)
		s.working.release(cost)
		s.startAll(waiting)
	}()
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
	if t, ok := r.task.(recycler); ok {
		t.sent(s, m)
	}
	r.frame.Release()
	return waiting
}

// refusal returns why a request is not to be dealt with.
func (s *server) refusal(r *request) error {
	switch {
	case s.ended.Load():
		return errEnded
	case s.ReadOnly && (r.changes || r.writes || r.finishes):
		return syscall.EROFS
	}
	return r.failure()
}

func (s *server) answer(r *request) (opened object, m wire.Message, err error) {
	if err := s.refusal(r); err != nil {
		return object{}, nil, err
	}
	first, second := r.first.get(), r.second.get()
	switch t := r.task.(type) {
	case opener:
		return t.open(s, first)
	case lister:
		m, err = t.list(s, r)
	case answerer:
		m, err = t.answer(s, first, second)
	}
	return object{}, m, err
}

// get returns what h stands for, or nil.
func (h *handle) get() *object {
	if h == nil {
		return nil
	}
	return &h.object
}

func (s *server) send(id uint64, m wire.Message) error {
	s.silence.sending.Add(1)
	defer s.silence.sending.Add(-1)
	return s.link.Send(wire.Frame{ID: id, Message: m})
}

// closeAll closes directories and files. Files that are unfinished are removed. It returns requests that waited
// for that.
func (s *server) closeAll(closing []*handle) (waiting []*request) {
	for _, h := range closing {
		s.stopAll(h)
		if h.object.dir != nil {
			h.object.dir.Close()
		}
		if s.ended.Load() && h.changedByOthers() {
			h.object.unfinished = false
		}
		s.closeFile(&h.object)
		more, dir := s.handles.closed(h)
		waiting = append(append(waiting, more...), s.closeAll(dir)...)
	}
	return waiting
}
