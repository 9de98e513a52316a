package session

import (
	"errors"
	"fmt"
	"io/fs"
	"sync"
	"time"

	"psync/internal/vfs"
	"psync/internal/wire"
)

// A call is a request that has not been answered yet.
type call struct {
	since time.Time

	mu     sync.Mutex // held while answer runs
	answer func(wire.Frame, error) (last bool)
	ended  bool // answer has returned true
}

// answered calls answer unless the call has ended.
func (c *call) answered(f wire.Frame, err error) (last bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.ended {
		c.ended = c.answer(f, err)
	}
	return c.ended
}

// receive passes an answer to the call that waits for it. It is called for each channel, and must not block.
func (s *Session) receive(f wire.Frame) error {
	s.mu.Lock()
	c := s.pending[f.ID]
	s.mu.Unlock()
	if c == nil {
		return &protocolError{fmt.Sprintf("%T that nothing asked for", f.Message)}
	}
	last := false
	if e, failed := f.Message.(*wire.Error); failed {
		last = c.answered(f, e.Err())
	} else {
		last = c.answered(f, nil)
	}
	if last {
		s.mu.Lock()
		delete(s.pending, f.ID)
		s.mu.Unlock()
		s.durations.Add(time.Since(c.since))
	}
	return nil
}

// Waiting reports whether a request is waiting for its answer.
func (s *Session) Waiting() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.pending) > 0
}

// Request sends a request. The goroutine that receives the answer calls answer, with each frame of it until answer
// returns true. answer must not block. If the request cannot be sent, answer is called before Request returns.
func (s *Session) Request(m wire.Message, answer func(wire.Frame, error) (last bool)) {
	id := s.sent.Add(1)
	s.mu.Lock()
	failed := s.failed
	if failed == nil {
		s.pending[id] = &call{since: time.Now(), answer: answer}
	}
	s.mu.Unlock()
	if failed != nil {
		answer(wire.Frame{}, failed)
		return
	}
	err := s.link.Send(wire.Frame{ID: id, Message: m})
	if err == nil {
		return
	}
	if s.link.Err() != nil || errors.Is(err, fs.ErrClosed) {
		return // watch fails what is pending
	}
	s.mu.Lock()
	mine := s.pending[id] != nil
	delete(s.pending, id)
	s.mu.Unlock()
	if mine {
		answer(wire.Frame{}, err) // the request is longer than a frame may be
	}
}

// Post is Request for an answer of one frame.
func Post[A wire.Message](s *Session, m wire.Message, answer func(A, error)) {
	s.PostFrame(m, func(f wire.Frame, err error) { answer(AnswerOf[A](s, f.Message, err)) })
}

// PostFrame is Post that passes the frame of any answer to answer. Data in it belong to the frame, which answer may release.
func (s *Session) PostFrame(m wire.Message, answer func(wire.Frame, error)) {
	s.Request(m, func(f wire.Frame, err error) bool {
		answer(f, err)
		return true
	})
}

// PostSetting is Post for a setting that holds for all that follows: channels that are added later wait for it.
func PostSetting[A wire.Message](s *Session, m wire.Message, answer func(A, error)) {
	s.setting.Add(1)
	Post(s, m, func(a A, err error) {
		defer s.setting.Done()
		answer(a, err)
	})
}

// Ask sends a request that is answered by an A, and waits for the answer. The error is one that the server reports, or a *vfs.LostError.
func Ask[A wire.Message](s *Session, m wire.Message) (A, error) {
	a, _, err := AskFrame[A](s, m)
	return a, err
}

// AskFrame is Ask, but also returns the frame of the answer, which the caller may release.
func AskFrame[A wire.Message](s *Session, m wire.Message) (A, wire.Frame, error) {
	r := <-s.Start(m)
	a, err := AnswerOf[A](s, r.Message, r.Err)
	return a, r.Frame, err
}

// Start sends a request and returns the channel on which its answer will come.
func (s *Session) Start(m wire.Message) <-chan Answer {
	answered := make(chan Answer, 1)
	s.PostFrame(m, func(f wire.Frame, err error) { answered <- Answer{f, err} })
	return answered
}

// AnswerOf returns an answer as the type that it must have.
func AnswerOf[A wire.Message](s *Session, m wire.Message, err error) (a A, _ error) {
	if err != nil {
		return a, err
	}
	a, ok := m.(A)
	if !ok {
		return a, s.Reject(fmt.Sprintf("%T for %T", m, a))
	}
	return a, nil
}

// Do is Ask for requests whose answer holds nothing.
func (s *Session) Do(m wire.Message) error {
	_, err := Ask[*wire.Done](s, m)
	return err
}

// AskAttr asks for the attributes of an entry, whose name is for errors.
func (s *Session) AskAttr(op, name string, m *wire.Lstat) (vfs.Attr, error) {
	a, err := Ask[*wire.AttrAnswer](s, m)
	if err != nil {
		return vfs.Attr{}, PathError(op, name, err)
	}
	return s.Attr(a.Attr), nil
}

// An Answer is the answer to a request, or the error.
type Answer struct {
	wire.Frame
	Err error
}
