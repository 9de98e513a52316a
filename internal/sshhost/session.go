package sshhost

import (
	"bufio"
	"context"
	"errors"
	"io"
	"time"

	"psync/internal/sshconn"
	"psync/internal/vfs"
	"psync/internal/vfs/reconnect"
	"psync/internal/vfs/remotefs"
)

// far is the round trip from which on a channel may be slower than the network: it carries 2 MiB in each.
const far = 3 * time.Millisecond

// A session is one with a psync on the host. It goes on when the connection was lost and made again.
type session struct {
	peer    *peer
	command func(arguments string) string // runs the server of psync with some arguments
	current *connection
	silence *silence
}

// serve starts a session by a command that runs the server of psync with some arguments.
func (p *peer) serve(ctx context.Context, command func(arguments string) string) (*Host, error) {
	s := &session{peer: p, command: command, current: newConnection(p.client), silence: newSilence(p.options.Timeout, p.warn)}
	fs, err := s.open(ctx)
	if err != nil {
		return nil, err
	}
	s.silence.begin(fs)
	return &Host{Host: fs, account: p.account, session: fs, silence: s.silence, client: s.current}, nil
}

func (s *session) open(ctx context.Context) (*remotefs.Host, error) {
	p := s.peer
	var channel *stream
	var absent error
	welcomed, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var waiting *time.Timer // for the rest of what it says first
	dial := func(first []byte) (_ io.ReadWriteCloser, err error) {
		if channel, absent = p.start(ctx, s.command, first); absent != nil {
			return nil, absent
		}
		waiting = time.AfterFunc(p.limit(), func() { cancel(p.silent()) })
		return s.silence.hear(channel), nil
	}
	fs, err := remotefs.Dial(welcomed, dial, remotefs.Options{
		Number: p.number, Host: p.account.String(), Compress: p.options.Compress, Questions: p.questions, Durations: p.durations,
		Timeout: p.options.Timeout, OpenChannel: s.openChannel, OnLoss: func() { s.onLoss(ctx) }, OnReturn: s.onReturn,
		Redial: func(redialing context.Context, first []byte) (io.ReadWriteCloser, bool, error) {
			return s.redial(ctx, redialing, first)
		},
	})
	if waiting != nil {
		waiting.Stop()
	}
	switch {
	case absent != nil:
		return nil, absent
	case err == nil:
		return fs, nil
	}
	_ = channel.Close() // what matters is err
	if silent, ok := errors.AsType[*noAgentError](err); ok {
		return nil, silent
	}
	if lost, ok := errors.AsType[*vfs.LostError](err); ok {
		err = lost.Err // the host is named by failure
	}
	return nil, p.failure(err, "")
}

// openChannel opens one more channel to the server, unless the network is no faster than one channel.
func (s *session) openChannel(socket string) (io.ReadWriteCloser, error) {
	c := s.current.Load()
	if c.RTT() < far {
		return nil, errors.ErrUnsupported
	}
	return s.silence.hearNew(c.DialSocket(socket))
}

// onLoss reports to the user that the connection is lost, unless ctx has ended, which may be why.
func (s *session) onLoss(ctx context.Context) {
	s.silence.reported.Store(true)
	if !reconnect.WaitDone(ctx) {
		s.peer.warn(reconnect.LostText(reconnect.DefaultTimeout))
	}
}

func (s *session) onReturn() {
	s.silence.reported.Store(false)
	s.peer.warn(reconnect.ReturnText)
}

// redial replaces a connection that is lost, and runs the server of psync as start does, until ctx or
// redialing ends. retryable reports whether another attempt may help after an error.
func (s *session) redial(ctx, redialing context.Context, first []byte) (_ io.ReadWriteCloser, retryable bool, err error) {
	if ctx.Err() != nil {
		return nil, false, context.Cause(ctx)
	}
	redialing, cancel := context.WithCancel(redialing)
	defer cancel()
	defer context.AfterFunc(ctx, cancel)()
	_ = s.current.Load().Close() // it is lost
	c, err := s.peer.dial(redialing)
	if err != nil {
		return nil, !sshconn.IsFinal(err), err
	}
	once := *s.peer
	once.client = c
	channel, err := once.start(redialing, s.command, first)
	if err != nil {
		_ = c.Close() // err says more
		return nil, c.Err() != nil, err
	}
	s.current.Store(c)
	return s.silence.hear(channel), true, nil
}

// start runs the server of psync, and returns the channel to it after the magic. The server has got first, some frames,
// from its command line, if that is what has run: a round trip sooner than by the channel, which carries nothing before
// it runs. A command of authorized_keys(5) in its place gets them by the channel.
func (p *peer) start(ctx context.Context, command func(arguments string) string, first []byte) (*stream, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, p.limit(), p.silent())
	defer cancel()
	channel, err := p.client.Exec(ctx, command(serveArguments(first)))
	if err != nil {
		return nil, p.noAgent(err)
	}
	in := bufio.NewReaderSize(channel, 32<<10)
	greeted := make(chan greeting, 1)
	go func() { greeted <- awaitGreeting(channel, in) }()
	var g greeting
	select {
	case g = <-greeted:
	case <-ctx.Done():
		_ = channel.Close() // its command may never end
		return nil, p.noAgent(context.Cause(ctx))
	}
	if g.err != nil {
		return nil, p.noAgent(g.err)
	}
	if g.mark == 0 {
		_, _ = channel.Write(first) // a channel that is lost is found out by all others
	}
	return &stream{channel, in}, nil
}
