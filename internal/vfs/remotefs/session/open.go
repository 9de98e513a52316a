package session

import (
	"context"

	"psync/internal/wire"
)

// New starts a session. begin sends the first requests, whose answers it must not wait for. New returns an error of dial
// unchanged.
func New(ctx context.Context, dial Dialer, o Options, begin func(*Session)) (*Session, error) {
	s := newSession(o)
	welcome := s.greet(o.Compress, o.Redial != nil)
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

// Close ends the session.
func (s *Session) Close() error { return s.link.Close() }

// Done returns a channel that is closed when the session has ended.
func (s *Session) Done() <-chan struct{} { return s.link.Done() }

// Fail ends the session because of err, unless it has ended.
func (s *Session) Fail(err error) { s.link.Fail(err) }

// Waiting reports whether a request is waiting for its answer.
func (s *Session) Waiting() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.pending) > 0
}

// PostSetting is Post for a setting that holds for all that follows: channels that are added later wait for it.
func PostSetting[A wire.Message](s *Session, m wire.Message, answer func(A, error)) {
	s.setting.Add(1)
	Post(s, m, func(a A, err error) {
		defer s.setting.Done()
		answer(a, err)
	})
}
