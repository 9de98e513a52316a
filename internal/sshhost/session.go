package sshhost

import (
	"context"
	"errors"
	"sync"

	"psync/internal/sshconn"
	"psync/internal/vfs"
	farsession "psync/internal/vfs/remotefs/session"
	"psync/internal/vfs/retry"
)

// A farSession is a session with a host, by a psync there or by SFTP.
type farSession interface {
	retry.Session
	waiter
	Lost() <-chan struct{}
	Close() error
}

// A starter starts a session on the connection of a peer, until starting is done. It replaces before, which may be nil, whose
// connection was lost. More channels are opened until ctx is done.
type starter func(ctx, starting context.Context, p *peer, silence *silence, before farSession) (farSession, error)

// A session is that with a host. Another one replaces it when the connection was lost and made again.
type session struct {
	peer    *peer
	start   starter
	current *connection
	silence *silence

	mu     sync.Mutex // guards what follows
	fs     farSession
	closed bool
}

// open starts the first session with a host.
func (p *peer) open(ctx context.Context, start starter) (*Host, error) {
	s := &session{peer: p, start: start, current: newConnection(p.client), silence: newSilence(p.options.Timeout, p.warn)}
	var err error
	if s.fs, err = start(ctx, ctx, p, s.silence, nil); err != nil {
		return nil, err
	}
	s.silence.begin(s)
	return &Host{Host: s.fs, account: p.account, session: s, silence: s.silence, client: s.current}, nil
}

// redial returns a session whose connection is not lost: the last one, or a new one, which it starts until ctx or redialing
// is done. retryable reports whether another attempt may help after an error.
func (s *session) redial(ctx, redialing context.Context) (_ retry.Session, retryable bool, err error) {
	before := s.host()
	switch lost, ok := errors.AsType[*vfs.LostError](before.Err()); {
	case !ok:
		return before, false, nil
	case lost.Final:
		return nil, false, lost
	}
	_ = s.current.Load().Close() // it may be that only a channel is lost
	s.silence.reported.Store(false)
	c, err := s.peer.dial(redialing)
	if err != nil {
		return nil, !sshconn.IsFinal(err), err
	}
	once := *s.peer
	once.client, once.questions = c, nil
	fs, err := s.start(ctx, redialing, &once, s.silence, before)
	if err != nil {
		_ = c.Close() // err says more
		return nil, !errors.Is(err, farsession.ErrRestarted), err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil, false, errors.Join(context.Canceled, fs.Close(), c.Close())
	}
	s.fs = fs
	s.current.Store(c)
	return fs, false, nil
}

// host returns the last session.
func (s *session) host() farSession {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.fs
}

// Waiting implements [waiter].
func (s *session) Waiting() bool { return s.host().Waiting() }

// Fail ends the session with its connection: a channel that is closed goes on being read until the server, which does
// not answer, closes it, too.
func (s *session) Fail(err error) {
	fs := s.host()
	go fs.Fail(err)
	<-fs.Lost()
	_ = s.current.Load().Close() // err says more
}

// Close ends the session.
func (s *session) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	return s.fs.Close()
}
