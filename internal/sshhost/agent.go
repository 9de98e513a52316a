package sshhost

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"psync/internal/sshconn"
	"psync/internal/sshconn/client"
	"psync/internal/sshconn/hosterror"
	"psync/internal/vfs"
	"psync/internal/vfs/remotefs"
	"psync/internal/wire"
)

const (
	// maxNoise is how many bytes startup files may print before the server of psync begins.
	maxNoise = 64 << 10
	// far is the round trip from which on a channel may be slower than the network: it carries 2 MiB in each.
	far = 3 * time.Millisecond
)

// A noAgentError says why there is no psync that answers requests.
type noAgentError struct {
	reason     error
	otherMajor bool // there is one, of another version of the protocol
	silent     bool // what runs there does not answer
}

func (e *noAgentError) Error() string { return e.reason.Error() }

// openAgent starts a session with a psync on the host. If there is none, or none that this one can speak to, the error
// is a *noAgentError, and the channel that it took is free again.
func (p *peer) openAgent(ctx context.Context) (*Host, error) {
	if p.options.Bootstrap && !p.byCommand() {
		h, err := p.openBootstrapped(ctx)
		if absent, ok := errors.AsType[*noAgentError](err); !ok || absent.silent {
			return h, err
		}
		if p.options.Note != nil {
			p.options.Note(fmt.Sprintf("%s: psync cannot be put there: %v", p.account, err))
		}
	}
	if p.byCommand() {
		return p.serve(ctx, plainServeCommand(p.options.Program))
	}
	return p.serve(ctx, serveCommand(p.options.Program))
}

// byCommand reports whether a command is used in place of ssh. It need not know a shell, and gives one channel.
func (p *peer) byCommand() bool { return p.client.Endpoint() == (client.Endpoint{}) }

// serve starts a session by a command that runs the server of psync with some arguments.
func (p *peer) serve(ctx context.Context, command func(arguments string) string) (*Host, error) {
	var channel *stream
	var absent error
	silence := newSilence(p.options.Timeout, p.warn)
	welcomed, giveUp := context.WithCancelCause(ctx)
	defer giveUp(nil)
	var waiting *time.Timer // for the rest of what it says first
	dial := func(first []byte) (_ io.ReadWriteCloser, err error) {
		if channel, absent = p.start(ctx, command, first); absent != nil {
			return nil, absent
		}
		waiting = time.AfterFunc(p.limit(), func() { giveUp(p.silent()) })
		return silence.hear(channel), nil
	}
	current := newConnection(p.client)
	openChannel := func(socket string) (io.ReadWriteCloser, error) {
		if current.Load().RTT() < far {
			return nil, errors.ErrUnsupported
		}
		return silence.hearNew(current.Load().DialSocket(socket))
	}
	fs, err := remotefs.New(welcomed, dial, remotefs.Options{
		Number: p.number, Host: p.account.String(), Compress: p.options.Compress, Questions: p.questions, Durations: p.durations, OpenChannel: openChannel,
		Timeout: p.options.Timeout,
		Redial: func(redialing context.Context, first []byte) (io.ReadWriteCloser, bool, error) {
			if ctx.Err() != nil {
				return nil, false, context.Cause(ctx)
			}
			redialing, cancel := context.WithCancel(redialing)
			defer cancel()
			defer context.AfterFunc(ctx, cancel)()
			c, again, err := p.redial(redialing, current, command, first)
			if err == nil {
				c = silence.hear(c)
			}
			return c, again, err
		},
		OnLoss: func() {
			silence.told.Store(true)
			if !interrupted(ctx) {
				p.warn("the connection is lost; psync tries for two minutes to connect again")
			}
		},
		OnReturn: func() {
			silence.told.Store(false)
			p.warn("connected again")
		},
	})
	if waiting != nil {
		waiting.Stop()
	}
	switch {
	case absent != nil:
		return nil, absent
	case err != nil:
		_ = channel.Close() // what matters is err
		if silent, ok := errors.AsType[*noAgentError](err); ok {
			return nil, silent
		}
		if lost, ok := errors.AsType[*vfs.LostError](err); ok {
			err = lost.Err // the host is named by failure
		}
		return nil, p.failure(err, "")
	}
	silence.begin(fs)
	return &Host{Host: fs, account: p.account, session: fs, silence: silence, client: current}, nil
}

// interrupted reports whether ctx has ended, or does so in a moment. An interrupt at a terminal goes to a ProxyCommand,
// too, whose end may be noticed first.
func interrupted(ctx context.Context) bool {
	select {
	case <-ctx.Done():
		return true
	case <-time.After(100 * time.Millisecond):
		return false
	}
}

// warn tells the user something about the host.
func (p *peer) warn(text string) {
	if p.options.Notify != nil {
		p.options.Notify(fmt.Sprintf("%s: %s", p.account, text))
	}
}

// redial replaces a connection that is lost, and runs the server of psync as start does. again says whether it may help
// to try again after an error.
func (p *peer) redial(ctx context.Context, current *connection, command func(arguments string) string, first []byte) (_ io.ReadWriteCloser, again bool, err error) {
	_ = current.Load().Close() // it is lost
	c, err := p.dial(ctx)
	if err != nil {
		return nil, !sshconn.IsFinal(err), err
	}
	once := *p
	once.client = c
	channel, err := once.start(ctx, command, first)
	if err != nil {
		_ = c.Close() // err says more
		return nil, c.Err() != nil, err
	}
	current.Store(c)
	return channel, true, nil
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

// A greeting is how a command has begun.
type greeting struct {
	mark int   // which magic it was, [wire.Magic] or [wire.HeardMagic]
	err  error // there is none
}

// awaitGreeting reads the greeting of a psync, or waits until what runs instead has ended.
func awaitGreeting(channel *client.Channel, in *bufio.Reader) greeting {
	n := len(wire.Magic) - 1
	mark, ended, err := skipTo(in, wire.Magic[:n], wire.HeardMagic[:n])
	major := byte(wire.Major)
	if err == nil {
		major, err = in.ReadByte()
		ended = err != nil
	}
	switch {
	case err != nil:
		return greeting{err: end(channel, ended, err)}
	case major != wire.Major:
		_ = end(channel, true, nil) // what counts is that it does not answer
		err := fmt.Errorf("the psync there speaks version %d of the protocol, this one %d", major, wire.Major)
		return greeting{err: &noAgentError{reason: err, otherMajor: true}}
	}
	return greeting{mark: mark}
}

// noAgent returns the error of a host without psync, unless the connection was lost.
func (p *peer) noAgent(err error) error {
	if lost := p.client.Err(); lost != nil {
		return lost
	}
	if absent, ok := errors.AsType[*noAgentError](err); ok {
		return absent
	}
	if known, ok := errors.AsType[*hosterror.Error](err); ok {
		err = known.Err // the host is named by the caller
	}
	return &noAgentError{reason: err}
}

// end closes the channel of a command, and returns why there is no psync, for which err is given unless the command
// says more. The command is waited for: until it has ended, a server that allows one channel allows no other. Only one
// that goes on to print is left alone.
func end(channel *client.Channel, ended bool, err error) error {
	_ = channel.CloseWrite() // it may be closed already
	if !ended {
		const most = 16 << 20
		n, _ := io.CopyN(io.Discard, channel, most)
		ended = n < most
	}
	if ended {
		exit, ok := errors.AsType[*client.ExitError](channel.Wait())
		switch {
		case !ok:
		case exit.Status == 126 || exit.Status == 127:
			err = errors.New("no psync was found there")
		default:
			err = fmt.Errorf("psync does not start there (%w)", exit)
		}
	}
	_ = channel.Close() // it may be closed already
	return err
}

// skipTo reads until one of some marks of equal length has been read, and returns which. It reports whether it has met
// the end.
func skipTo(r io.ByteReader, marks ...[]byte) (mark int, ended bool, err error) {
	matched := make([]byte, 0, maxNoise+len(marks[0]))
	for len(matched) < cap(matched) {
		b, err := r.ReadByte()
		if err != nil {
			return 0, true, errors.New("what runs there is no psync")
		}
		matched = append(matched, b)
		if mark := slices.IndexFunc(marks, func(m []byte) bool { return bytes.HasSuffix(matched, m) }); mark >= 0 {
			return mark, false, nil
		}
	}
	return 0, false, errors.New("the user's startup files print too much for psync to be found there")
}

// A stream is a channel of which the beginning was read.
type stream struct {
	*client.Channel
	in *bufio.Reader
}

func (s *stream) Read(b []byte) (int, error) { return s.in.Read(b) }
