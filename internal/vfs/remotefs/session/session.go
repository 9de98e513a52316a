// Package session exchanges requests and their answers with a psync on another host.
//
// Requests do not wait for one another. The bytes that are sent and not acknowledged are limited by a [Window]. When one
// channel seems too slow, the session opens others. When one is lost, the session has ended; package retry starts another one.
package session

import (
	"errors"
	"io"
	"io/fs"
	"sync"
	"sync/atomic"

	"psync/internal/report"
	"psync/internal/vfs"
	"psync/internal/wire"
	"psync/internal/wire/link"
)

// A Session exchanges requests, and answers in any order, with a server.
type Session struct {
	name    string // of the host
	number  uint8
	link    *link.Link
	Welcome wire.Welcome
	// replaceable says that the server has a socket, by which another one can end it.
	replaceable atomic.Bool
	Window      Window

	setting sync.WaitGroup // pending requests whose setting holds for all that follows on their channel
	handles atomic.Uint64  // the last handle that was assigned
	sent    atomic.Uint64  // requests
	heard   atomic.Bool    // something has arrived since a ping was last due

	durations *report.Durations // of requests

	mu      sync.Mutex // guards what follows
	pending map[uint64]*call
	failed  error         // set to the result of err when the link has ended and pending is no longer used
	closing []wire.Handle // handles that the server must close
	wake    chan struct{} // closing is not empty; it holds one signal
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

// Err returns why the session has ended, as a *vfs.LostError, or nil. Another session may replace it if its connection was
// lost, and if its server, which may not have noticed that, can be found by its socket to be ended.
func (s *Session) Err() error {
	err := s.link.Err()
	if err == nil {
		return nil
	}
	_, cut := errors.AsType[*link.ChannelError](err)
	return &vfs.LostError{Host: s.name, Err: reason(err), Final: !cut || !s.replaceable.Load()}
}

// A protocolError describes something that psync would not send.
type protocolError struct{ what string }

func (e *protocolError) Error() string { return "the psync there sent " + e.what }

// Close ends the session.
func (s *Session) Close() error { return s.link.Close() }

// Done returns a channel that is closed when the session has ended.
func (s *Session) Done() <-chan struct{} { return s.link.Done() }

// Fail ends the session because of err, unless it has ended.
func (s *Session) Fail(err error) { s.link.Fail(err) }

// Reject ends the session because of something that the server has sent.
func (s *Session) Reject(what string) error {
	err := &protocolError{what}
	s.link.Fail(err)
	return &vfs.LostError{Host: s.name, Err: err, Final: true}
}

// Attr returns the attributes with the device number that is used here.
func (s *Session) Attr(a vfs.Attr) vfs.Attr {
	a.Dev = vfs.HostDev(s.number, a.Dev)
	return a
}

// ExtraOf returns the metadata that came with an entry because p asked for them, or nil.
func ExtraOf(name string, x *wire.Extra, p vfs.Preparation) *vfs.Extra {
	if x == nil || !p.Flags && !p.Xattrs && !p.ACLs {
		return nil
	}
	e := &vfs.Extra{
		Holds: p, FileFlags: x.Flags,
		FlagsErr:  PathError("flags", name, x.FlagsError.Err()),
		XattrsErr: PathError("listxattr", name, x.XattrError.Err()),
	}
	for _, a := range x.Xattrs {
		e.All = append(e.All, vfs.Xattr(a))
	}
	return e
}

// PathError returns err as the error of an operation on name, or nil. It returns a *vfs.LostError unchanged.
func PathError(op, name string, err error) error {
	if err == nil || errors.As(err, new(*vfs.LostError)) {
		return err
	}
	return &fs.PathError{Op: op, Path: name, Err: err}
}
