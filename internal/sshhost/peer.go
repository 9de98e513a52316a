package sshhost

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"psync/internal/operand/location"
	"psync/internal/report"
	"psync/internal/sshconn/client"
	"psync/internal/sshconn/hosterror"
	"psync/internal/vfs"
	"psync/internal/vfs/sftpfs"
)

// A peer is a host that is connected to, with which a session is to be started.
type peer struct {
	client  *client.Client
	account location.Account
	number  uint8 // of the host, as [vfs.HostDev] takes it
	options *Options
	// questions are what is asked of it first, or nil.
	questions *vfs.Questions
	durations *report.Durations // of requests
	// dial connects to the host once more.
	dial func(context.Context) (*client.Client, error)
}

// openSFTP starts an SFTP session.
func (p *peer) openSFTP(ctx context.Context) (*Host, error) {
	starting, cancel := context.WithTimeoutCause(ctx, p.limit(), p.silent())
	defer cancel()
	channel, err := p.client.Subsystem(starting, "sftp")
	if err != nil {
		return nil, p.failure(err, sftpRemedy)
	}
	silence := newSilence(p.options.Timeout, p.warn)
	var fs *sftpfs.Host
	made := make(chan struct{})
	go func() {
		defer close(made)
		fs, err = sftpfs.New(silence.hear(channel), sftpfs.Options{
			Number:      p.number,
			Host:        p.account.String(),
			OpenChannel: func() (io.ReadWriteCloser, error) { return silence.hearNew(p.client.Subsystem(ctx, "sftp")) },
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
	silence.begin(sftpSession{fs, p.client})
	return &Host{Host: fs, account: p.account, session: fs, silence: silence, client: newConnection(p.client), sftp: true}, nil
}

// An sftpSession is a session of SFTP on a connection.
type sftpSession struct {
	*sftpfs.Host
	client *client.Client
}

// Fail ends the session with its connection: a channel that is closed goes on being read until the server, which does
// not answer, closes it, too.
func (s sftpSession) Fail(err error) {
	go s.Host.Fail(err)
	<-s.Lost()
	_ = s.client.Close() // err says more
}

// limit is how long what is started on the host may take to answer.
func (p *peer) limit() time.Duration {
	switch o := p.options; {
	case o.ConnectTimeout > 0:
		return o.ConnectTimeout
	case o.Timeout > 0:
		return min(o.Timeout, patience)
	}
	return patience
}

// silent returns the error of a host where what was started has not answered for that long.
func (p *peer) silent() *noAgentError {
	return &noAgentError{reason: hosterror.Timeout(p.limit()), silent: true}
}

const (
	sftpRemedy   = "the subsystem sftp must be switched on in its sshd_config, and the user's startup files must print nothing"
	silentRemedy = "see whether the startup files of the user's shell there wait for something; --contimeout=SECONDS waits for longer"
	pathRemedy   = "give the path of psync on that host, or have --bootstrap put it there; without the flag it is looked for, and where there is none SFTP serves"
	bothRemedy   = "install psync there, or say by --remote-psync where it is, or have --bootstrap put it there; or switch on the subsystem sftp in its sshd_config"
)

// failure returns the error of a host that a session cannot be started with, unless the connection was lost.
func (p *peer) failure(err error, remedy string) error {
	if lost := p.client.Err(); lost != nil {
		return lost
	}
	e := &hosterror.Error{Host: p.account.Host, Port: p.account.Port, Err: err}
	if known, ok := errors.AsType[*hosterror.Error](err); ok {
		e = &hosterror.Error{Host: known.Host, Port: known.Port, Err: known.Err}
	}
	e.Remedy = remedy
	if absent, ok := errors.AsType[*noAgentError](err); ok && absent.silent {
		e.Remedy = silentRemedy
	}
	return e
}

// notAtPath returns the error of a host without a psync at the path that the user has given.
func (p *peer) notAtPath(absent *noAgentError) error {
	err := p.failure(fmt.Errorf("--remote-psync=%s: %w", p.options.Program, absent), pathRemedy)
	if absent.otherMajor {
		return &ProtocolError{err}
	}
	return err
}

// neither returns the error of a host that has neither SFTP, because of err, nor a psync.
func (p *peer) neither(err error, absent *noAgentError) error {
	e, ok := errors.AsType[*hosterror.Error](err)
	if !ok || p.client.Err() != nil {
		return err
	}
	remedy := bothRemedy
	if absent.silent {
		remedy = silentRemedy
	}
	err = &hosterror.Error{Host: e.Host, Port: e.Port, Err: fmt.Errorf("%v, and %w", absent, e.Err), Remedy: remedy}
	if absent.otherMajor {
		return &ProtocolError{err}
	}
	return err
}
