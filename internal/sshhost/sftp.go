package sshhost

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"

	"psync/internal/sshconn"
	"psync/internal/vfs"
	"psync/internal/vfs/retry"
	"psync/internal/vfs/sftpfs"
)

const sftpRemedy = "the subsystem sftp must be switched on in its sshd_config, and the user's startup files must print nothing"

// openSFTP starts an SFTP session.
func (p *peer) openSFTP(ctx context.Context) (*Host, error) {
	s := &sftpSession{peer: p, current: newConnection(p.client), silence: newSilence(p.options.Timeout, p.warn)}
	var err error
	if s.fs, err = s.start(ctx, ctx, p); err != nil {
		return nil, err
	}
	s.silence.begin(s)
	return &Host{Host: s.fs, account: p.account, session: s, silence: s.silence, client: s.current, sftp: s}, nil
}

// An sftpSession is a session of SFTP, which another one replaces when the connection was lost and made again.
type sftpSession struct {
	peer    *peer
	current *connection
	silence *silence

	mu     sync.Mutex // guards what follows
	fs     *sftpfs.Host
	closed bool
}

// start starts SFTP on the connection of a peer, until starting is done. More channels are opened until ctx is done.
func (s *sftpSession) start(ctx, starting context.Context, p *peer) (*sftpfs.Host, error) {
	starting, cancel := context.WithTimeoutCause(starting, p.limit(), p.silent())
	defer cancel()
	channel, err := p.client.Subsystem(starting, "sftp")
	if err != nil {
		return nil, p.failure(err, sftpRemedy)
	}
	var fs *sftpfs.Host
	made := make(chan struct{})
	go func() {
		defer close(made)
		fs, err = sftpfs.NewHost(s.silence.hear(channel), sftpfs.Options{
			Number:      p.number,
			Host:        p.account.String(),
			OpenChannel: func() (io.ReadWriteCloser, error) { return s.silence.hearNew(p.client.Subsystem(ctx, "sftp")) },
			Before:      s.fs,
		})
	}()
	select {
	case <-made:
	case <-starting.Done():
		_ = channel.Close() // what serves it may never end
		return nil, p.failure(fmt.Errorf("no SFTP: %w", context.Cause(starting)), sftpRemedy)
	}
	if err != nil {
		if said := channel.Stderr(); said != "" {
			err = fmt.Errorf("%w: it says: %s", err, said)
		}
		return nil, p.failure(err, sftpRemedy)
	}
	return fs, nil
}

// redial returns a session whose connection is not lost: the last one, or a new one, which it starts until ctx or redialing
// is done. retryable reports whether another attempt may help after an error.
func (s *sftpSession) redial(ctx, redialing context.Context) (_ retry.Session, retryable bool, err error) {
	fs := s.host()
	switch lost, ok := errors.AsType[*vfs.LostError](fs.Err()); {
	case !ok:
		return fs, false, nil
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
	once.client = c
	fs, err = s.start(ctx, redialing, &once)
	if err != nil {
		_ = c.Close() // err says more
		return nil, true, err
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
func (s *sftpSession) host() *sftpfs.Host {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.fs
}

// Waiting implements [waiter].
func (s *sftpSession) Waiting() bool { return s.host().Waiting() }

// Fail ends the session with its connection: a channel that is closed goes on being read until the server, which does
// not answer, closes it, too.
func (s *sftpSession) Fail(err error) {
	fs := s.host()
	go fs.Fail(err)
	<-fs.Lost()
	_ = s.current.Load().Close() // err says more
}

// Close ends the session.
func (s *sftpSession) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	return s.fs.Close()
}
