// Package sshhost opens hosts that ssh reaches as file systems.
package sshhost

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"psync/internal/operand/location"
	"psync/internal/sshconn"
	"psync/internal/vfs"
	"psync/internal/vfs/sftpfs"
)

// A Dialer opens hosts, each of them once.
type Dialer struct {
	dialer *sshconn.Dialer

	mu    sync.Mutex // guards what follows
	hosts map[location.Account]*Host
}

// NewDialer returns a Dialer.
func NewDialer(o sshconn.Options) *Dialer {
	return &Dialer{dialer: sshconn.NewDialer(o), hosts: make(map[location.Account]*Host)}
}

// A Host is a host that ssh reaches.
type Host struct {
	vfs.Host
	session io.Closer
	client  *sshconn.Client
}

// RoundTrip returns the least time that the host has taken to answer.
func (h *Host) RoundTrip() time.Duration { return h.client.RTT() }

// Open connects to a host, unless that is done. Unless ctx has ended, the error is an *[sshconn.Error].
func (d *Dialer) Open(ctx context.Context, r location.Account) (*Host, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if h := d.hosts[r]; h != nil {
		return h, nil
	}
	client, err := d.dialer.Dial(ctx, sshconn.Target{User: r.User, Host: r.Host, Port: r.Port})
	if err != nil {
		return nil, err
	}
	if h := d.at(client.Endpoint()); h != nil {
		_ = client.Close() // nothing was asked of it
		d.hosts[r] = h
		return h, nil
	}
	h, err := d.open(ctx, client, r)
	if err != nil {
		_ = client.Close() // what has failed is why nothing can be done with it
		if ctx.Err() != nil {
			err = context.Cause(ctx)
		}
		return nil, err
	}
	d.hosts[r] = h
	return h, nil
}

// at returns the host where another connection ends, if there is one: then what overlaps by paths is found out.
func (d *Dialer) at(e sshconn.Endpoint) *Host {
	for _, h := range d.hosts {
		if e != (sshconn.Endpoint{}) && h.client.Endpoint() == e {
			return h
		}
	}
	return nil
}

// open starts a session.
func (d *Dialer) open(ctx context.Context, client *sshconn.Client, r location.Account) (*Host, error) {
	channel, err := client.Subsystem(ctx, "sftp")
	if err != nil {
		return nil, noSFTP(client, r, err)
	}
	stop := context.AfterFunc(ctx, func() { _ = client.Close() }) // a server may never begin to speak
	defer stop()
	fs, err := sftpfs.New(channel, sftpfs.Options{
		Number:      uint8(len(d.hosts) + 1), // there are two at most
		Host:        r.String(),
		OpenChannel: func() (io.ReadWriteCloser, error) { return client.Subsystem(ctx, "sftp") },
	})
	if err != nil {
		if said := channel.Stderr(); said != "" {
			err = fmt.Errorf("%w: it says: %s", err, said)
		}
		return nil, noSFTP(client, r, err)
	}
	return &Host{Host: fs, session: fs, client: client}, nil
}

// noSFTP returns the error of a host that a session cannot be started with, unless the connection was lost.
func noSFTP(client *sshconn.Client, r location.Account, err error) error {
	if lost := client.Err(); lost != nil {
		return lost
	}
	e := &sshconn.Error{Host: r.Host, Port: r.Port, Err: err}
	if known, ok := errors.AsType[*sshconn.Error](err); ok {
		e = &sshconn.Error{Host: known.Host, Port: known.Port, Err: known.Err}
	}
	e.Remedy = "the subsystem sftp must be switched on in its sshd_config, and the user's startup files must print nothing"
	return e
}

// Close ends all connections.
func (d *Dialer) Close() {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, h := range d.hosts {
		// What was written was reported when its file was closed.
		_ = h.session.Close()
		_ = h.client.Close()
	}
	clear(d.hosts)
}
