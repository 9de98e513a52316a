package sshhost

import (
	"context"
	"fmt"
	"io"

	"psync/internal/vfs/sftpfs"
)

const sftpRemedy = "the subsystem sftp must be switched on in its sshd_config, and the user's startup files must print nothing"

// startSFTP starts an SFTP session.
func startSFTP(ctx, starting context.Context, p *peer, s *silence, before farSession) (farSession, error) {
	last, _ := before.(*sftpfs.Host)
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
		fs, err = sftpfs.NewHost(s.hear(channel), sftpfs.Options{
			Number:      p.number,
			Host:        p.account.String(),
			OpenChannel: func() (io.ReadWriteCloser, error) { return s.hearNew(p.client.Subsystem(ctx, "sftp")) },
			Before:      last,
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
