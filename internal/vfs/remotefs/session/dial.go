package session

import (
	"cmp"
	"context"
	"fmt"

	"psync/internal/report"
	"psync/internal/wire"
	"psync/internal/wire/link"
)

// Dial starts a session. begin sends the first requests, whose answers it must not wait for. Dial returns an error of dial
// unchanged.
func Dial(ctx context.Context, dial Dialer, o Options, begin func(*Session)) (*Session, error) {
	s := newSession(o)
	welcome := s.Start(&wire.Hello{Major: wire.Major, Compress: o.Compress, Resumes: o.Redial != nil})
	begin(s)
	channel, err := dial(s.link.TakeQueued())
	if err == nil {
		s.link.Add(0, heardChannel{channel, s})
		err = s.awaitWelcome(ctx, welcome)
	}
	if err != nil {
		_ = s.Close() // err says more
		return nil, err
	}
	if o.Redial != nil && s.Welcome.Socket != "" {
		go s.reconnect(o)
		s.link.Establish()
	} else {
		s.link.SetResumable(false)
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
		pending: make(map[uint64]*call), wake: make(chan struct{}, 1), losses: make(chan struct{}, 1),
	}
	s.Window.init()
	s.link = link.New(link.Options{Receive: s.receive, Compress: o.Compress, Resumable: o.Redial != nil, Suspended: s.lose})
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
	s.welcomed.Store(true)
	return nil
}

// otherVersion describes, for Reject, the greeting of a server that speaks another version of the protocol.
func otherVersion(h *wire.Hello) string {
	return fmt.Sprintf("that it speaks version %d of the protocol, while this one speaks %d", h.Major, wire.Major)
}
