package session

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path"

	"psync/internal/report"
	"psync/internal/wire"
	"psync/internal/wire/link"
)

// ErrRestarted says that a session cannot take the place of one before.
var ErrRestarted = errors.New("the host has restarted meanwhile, or is another one, so what was written may be lost")

// Dial starts a session. begin sends the first requests, whose answers it must not wait for. Dial returns an error of dial
// unchanged.
func Dial(ctx context.Context, dial Dialer, o Options, begin func(*Session)) (*Session, error) {
	s := newSession(o)
	welcome := s.Start(&wire.Hello{Major: wire.Major, Compress: o.Compress})
	begin(s)
	first, err := o.Replaces.replace()
	var channel io.ReadWriteCloser
	if err == nil {
		channel, err = dial(append(first, s.link.TakeQueued()...))
	}
	if err == nil {
		s.link.Add(heardChannel{channel, s})
		err = s.awaitWelcome(ctx, welcome)
	}
	if err == nil && o.Replaces != nil && o.Replaces.Welcome.Info.BootID != s.Welcome.Info.BootID {
		err = ErrRestarted
	}
	if err != nil {
		_ = s.Close() // err says more
		return nil, err
	}
	if o.OpenChannel != nil && s.Welcome.Socket != "" {
		go s.widen(o.OpenChannel)
	}
	return s, nil
}

// newSession returns a session without a channel.
func newSession(o Options) *Session {
	s := &Session{
		name: o.Host, number: o.Number, durations: cmp.Or(o.Durations, new(report.Durations)),
		pending: make(map[uint64]*call), wake: make(chan struct{}, 1),
	}
	s.Window.init()
	s.link = link.New(link.Options{Receive: s.receive, Compress: o.Compress})
	go s.watch(cmp.Or(min(o.Timeout/3, pingAfter), pingAfter))
	go s.closeHandles()
	return s
}

// awaitWelcome waits for the answer to Hello.
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
	s.replaceable.Store(w.Socket != "")
	return nil
}

// replace returns the first frame for a server that replaces the one of s, which may be nil.
func (s *Session) replace() ([]byte, error) {
	if s == nil {
		return nil, nil
	}
	return wire.Append(nil, wire.Frame{Message: &wire.Replace{Session: path.Base(path.Dir(s.Welcome.Socket)), Token: s.Welcome.Token}})
}

// otherVersion describes, for Reject, the greeting of a server that speaks another version of the protocol.
func otherVersion(h *wire.Hello) string {
	return fmt.Sprintf("that it speaks version %d of the protocol, while this one speaks %d", h.Major, wire.Major)
}
