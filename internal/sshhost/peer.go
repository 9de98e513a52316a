package sshhost

import (
	"context"
	"errors"
	"fmt"
	"io"

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
	channel, err := p.client.Subsystem(ctx, "sftp")
	if err != nil {
		return nil, p.failure(err, sftpRemedy)
	}
	fs, err := sftpfs.New(channel, sftpfs.Options{
		Number:      p.number,
		Host:        p.account.String(),
		OpenChannel: func() (io.ReadWriteCloser, error) { return p.client.Subsystem(ctx, "sftp") },
	})
	if err != nil {
		if said := channel.Stderr(); said != "" {
			err = fmt.Errorf("%w: it says: %s", err, said)
		}
		return nil, p.failure(err, sftpRemedy)
	}
	return &Host{Host: fs, session: fs, client: newConnection(p.client), sftp: true}, nil
}

const (
	sftpRemedy = "the subsystem sftp must be switched on in its sshd_config, and the user's startup files must print nothing"
	bothRemedy = "install psync there, or say by --remote-psync where it is, or have --bootstrap put it there; or switch on the subsystem sftp in its sshd_config"
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
	return e
}

// neither returns the error of a host that has neither SFTP, because of err, nor a psync.
func (p *peer) neither(err error, absent *noAgentError) error {
	e, ok := errors.AsType[*hosterror.Error](err)
	if !ok || p.client.Err() != nil {
		return err
	}
	err = &hosterror.Error{Host: e.Host, Port: e.Port, Err: fmt.Errorf("%v, and %w", absent, e.Err), Remedy: bothRemedy}
	if absent.otherMajor {
		return &ProtocolError{err}
	}
	return err
}
