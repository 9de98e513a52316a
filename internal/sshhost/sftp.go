package sshhost

import (
	"context"
	"fmt"
	"io"

	"psync/internal/sshconn/client"
	"psync/internal/vfs/sftpfs"
)

const sftpRemedy = "the subsystem sftp must be switched on in its sshd_config, and the user's startup files must print nothing"

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
