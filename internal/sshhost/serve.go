package sshhost

import (
	"bufio"
	"context"
	"errors"
	"io"
	"time"

	"psync/internal/vfs"
	"psync/internal/vfs/remotefs"
)

// far is the round trip from which on a channel may be slower than the network: it carries 2 MiB in each.
const far = 3 * time.Millisecond

// serve starts a session by a command that runs the server of psync with some arguments.
func (p *peer) serve(ctx context.Context, command func(arguments string) string) (*Host, error) {
	return p.open(ctx, func(_, starting context.Context, p *peer, s *silence, before farSession) (farSession, error) {
		last, _ := before.(*remotefs.Host)
		fs, err := p.startServer(starting, command, s, last)
		if err != nil {
			return nil, err
		}
		return fs, nil
	})
}

// startServer starts a session with a psync on the host, which replaces before, unless that is nil.
func (p *peer) startServer(ctx context.Context, command func(arguments string) string, s *silence, before *remotefs.Host) (*remotefs.Host, error) {
	var channel *stream
	var absent error
	welcomed, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var waiting *time.Timer // for the rest of what it says first
	dial := func(first []byte) (_ io.ReadWriteCloser, err error) {
		if channel, absent = p.start(ctx, command, first); absent != nil {
			return nil, absent
		}
		waiting = time.AfterFunc(p.limit(), func() { cancel(p.silent()) })
		return s.hear(channel), nil
	}
	fs, err := remotefs.Dial(welcomed, dial, remotefs.Options{
		Number: p.number, Host: p.account.String(), Compress: p.options.Compress, Questions: p.questions, Durations: p.durations,
		Timeout: p.options.Timeout, OpenChannel: func(socket string) (io.ReadWriteCloser, error) { return p.openChannel(s, socket) },
		Replaces: before.Session(),
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
func (p *peer) openChannel(s *silence, socket string) (io.ReadWriteCloser, error) {
	if p.client.RTT() < far {
		return nil, errors.ErrUnsupported
	}
	return s.hearNew(p.client.DialSocket(socket))
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
