// Package session exchanges requests and their answers with a psync on another host.
//
// Requests do not wait for one another. The bytes that are sent and not acknowledged are limited by a [Window]. When one
// channel seems too slow, the session opens others, and when all are lost, it connects again and goes on.
package session

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"sync"
	"sync/atomic"
	"time"

	"psync/internal/report"
	"psync/internal/vfs"
	"psync/internal/wire"
	"psync/internal/wire/link"
)

// A ping is sent when a session has sent nothing between two ticks of pingAfter. The server ends when it has received
// nothing for a minute, and this side reports after half a minute that the server does not answer.
const pingAfter = 10 * time.Second

// A Session exchanges requests, and answers in any order, with a server.
type Session struct {
	name    string // of the host
	number  uint8
	link    *link.Link
	Welcome wire.Welcome
	Window  Window

	setting sync.WaitGroup // pending requests whose setting holds for all that follows on their channel
	handles atomic.Uint64  // the last handle that was assigned
	sent    atomic.Uint64  // requests
	heard   atomic.Bool    // something has arrived since a ping was last due
	// channels is the number of the last channel that was, or was about to be, added.
	channels atomic.Uint32
	welcomed atomic.Bool   // Welcome is known
	losses   chan struct{} // receives a value when all channels are lost

	durations *report.Durations // of requests

	mu      sync.Mutex // guards what follows
	pending map[uint64]*call
	failed  error         // set to the result of err when the link has ended and pending is no longer used
	closing []wire.Handle // handles that the server must close
	wake    chan struct{} // closing is not empty; it holds one signal
}

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

// newSession returns a session without a channel.
func newSession(o Options) *Session {
	s := &Session{
		name: o.Host, number: o.Number, durations: cmp.Or(o.Durations, new(report.Durations)),
		pending: make(map[uint64]*call), wake: make(chan struct{}, 1), losses: make(chan struct{}, 1),
	}
	s.Window.init()
	s.link = link.New(link.Options{Receive: s.receive, Compress: o.Compress, Resumable: o.Redial != nil, Suspended: s.lose})
	go s.watch(cmp.Or(min(o.Timeout/3, pingAfter), pingAfter))
	go s.closeHandles()
	return s
}

// watch sends pings until the link ends, and then fails the pending requests. A server that hangs is sent no more than
// one ping, which distinguishes it from one that still reads. Another ping is sent only after the last one was answered
// or anything else has arrived, since on a slow line the answer may come long after that.
func (s *Session) watch(pause time.Duration) {
	tick := time.NewTicker(pause)
	defer tick.Stop()
	var sent uint64
	var pinged atomic.Bool // a ping has not been answered
	for {
		select {
		case <-tick.C:
			if now := s.sent.Load(); now != sent {
				sent = now
			} else if heard := s.heard.Swap(false); heard || !pinged.Load() {
				pinged.Store(true)
				Post(s, &wire.Ping{}, func(*wire.Done, error) { pinged.Store(false) })
			}
			continue
		case <-s.link.Done():
		}
		err := s.Err()
		s.mu.Lock()
		s.failed = err
		pending := s.pending
		s.pending = nil
		s.mu.Unlock()
		s.Window.end()
		for _, c := range pending {
			c.answered(wire.Frame{}, err)
		}
		return
	}
}

// A heardChannel records that something arrives, even if it is only a part of a frame.
type heardChannel struct {
	io.ReadWriteCloser
	s *Session
}

func (c heardChannel) Read(p []byte) (int, error) {
	n, err := c.ReadWriteCloser.Read(p)
	if n > 0 {
		c.s.heard.Store(true)
	}
	return n, err
}

// reason returns an error that describes why a link has ended.
func reason(err error) error {
	switch peer, wrong := errors.AsType[*link.PeerError](err); {
	case wrong:
		return &protocolError{peer.Error()}
	case errors.Is(err, io.EOF):
		return errors.New("the psync there has ended")
	case errors.Is(err, io.ErrUnexpectedEOF):
		return errors.New("the connection was cut off")
	}
	return err
}

// Err returns why the session has ended, as a *vfs.LostError, or nil.
func (s *Session) Err() error {
	if err := s.link.Err(); err != nil {
		return &vfs.LostError{Host: s.name, Err: reason(err)}
	}
	return nil
}

// A protocolError describes something that psync would not send.
type protocolError struct{ what string }

func (e *protocolError) Error() string { return "the psync there sent " + e.what }

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

// Reject ends the session because of something that the server has sent.
func (s *Session) Reject(what string) error {
	err := &protocolError{what}
	s.link.Fail(err)
	return &vfs.LostError{Host: s.name, Err: err}
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
	s.Request(m, func(f wire.Frame, err error) bool {
		answer(AnswerOf[A](s, f.Message, err))
		return true
	})
}

// Read is Post that passes the frame of any answer to answer. Data in it belong to the frame, which answer may release.
func (s *Session) Read(m wire.Message, answer func(wire.Frame, error)) {
	s.Request(m, func(f wire.Frame, err error) bool {
		answer(f, err)
		return true
	})
}

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
			_ = s.link.Send(wire.Frame{Message: &wire.Close{Handle: h}}) // only the link can fail, which others notice
		}
	}
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
	s.Read(m, func(f wire.Frame, err error) { answered <- Answer{f, err} })
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

// NewHandle returns a new handle.
func (s *Session) NewHandle() wire.Handle { return wire.Handle(s.handles.Add(1)) }

// Attr returns the attributes with the device number that is used here.
func (s *Session) Attr(a vfs.Attr) vfs.Attr {
	a.Dev = vfs.HostDev(s.number, a.Dev)
	return a
}

// An Answer is the answer to a request, or the error.
type Answer struct {
	wire.Frame
	Err error
}

// greet sends Hello to the server and returns the channel on which the answer will come.
func (s *Session) greet(compress wire.Compression, resumes bool) (welcome <-chan Answer) {
	return s.Start(&wire.Hello{Major: wire.Major, Compress: compress, Resumes: resumes})
}

// awaitWelcome waits for the answer to greet.
func (s *Session) awaitWelcome(ctx context.Context, welcome <-chan Answer) error {
	stop := context.AfterFunc(ctx, func() { s.link.Fail(context.Cause(ctx)) })
	defer stop()
	r := <-welcome
	if refusal, ok := r.Message.(*wire.Hello); ok && r.Err == nil {
		return s.Reject(otherVersion(refusal))
	}
	w, err := AnswerOf[*wire.Welcome](s, r.Message, r.Err)
	if err != nil {
		return err
	}
	if w.Major != wire.Major {
		return s.Reject(otherVersion(&w.Hello))
	}
	s.Welcome = *w
	s.welcomed.Store(true)
	return nil
}

// otherVersion describes, for Reject, the greeting of a server that speaks another version of the protocol.
func otherVersion(h *wire.Hello) string {
	return fmt.Sprintf("that it speaks version %d of the protocol, while this one speaks %d", h.Major, wire.Major)
}

// PathError returns err as the error of an operation on name, or nil. It returns a *vfs.LostError unchanged.
func PathError(op, name string, err error) error {
	if err == nil || errors.As(err, new(*vfs.LostError)) {
		return err
	}
	return &fs.PathError{Op: op, Path: name, Err: err}
}
