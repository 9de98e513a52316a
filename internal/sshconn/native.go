package sshconn

import (
	"context"
	"net"
	"os"
	"strconv"

	"psync/internal/sshconn/client"
	"psync/internal/sshconn/config"
	"psync/internal/sshconn/hosterror"
	"psync/internal/sshconn/process"
)

// native connects without ssh.
func (d *Dialer) native(ctx context.Context, s *config.Host, via []Target, depth int) (*client.Client, error) {
	hop, err := d.hop(ctx, s, via, depth)
	if err != nil {
		return nil, err
	}
	c, err := d.throughHop(ctx, s, hop)
	if err != nil && hop != nil {
		_ = hop.Close() // It is no longer needed.
	}
	return c, err
}

func (d *Dialer) throughHop(ctx context.Context, s *config.Host, hop *client.Client) (*client.Client, error) {
	// The jump host has already authenticated the user, so hosts that wait for others cannot deadlock.
	select {
	case d.handshakes <- struct{}{}:
		defer func() { <-d.handshakes }()
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	l := &login{d: d, ctx: ctx, s: s}
	config, err := l.config()
	if l.auth != nil {
		defer l.auth.Close()
	}
	if err != nil {
		return nil, err
	}
	conn, err := connect(ctx, s, hop)
	if err != nil {
		return nil, err
	}
	return l.handshake(conn, config, hop)
}

// connect opens the connection that the SSH protocol runs over.
func connect(ctx context.Context, s *config.Host, hop *client.Client) (net.Conn, error) {
	address := net.JoinHostPort(s.HostName, strconv.Itoa(s.Port))
	ctx, cancel := context.WithTimeout(ctx, s.ConnectTimeout)
	defer cancel()
	switch {
	case hop != nil:
		conn, err := hop.DialTCP(ctx, address)
		return conn, hosterror.Dialing(err, "tcp", s.ConnectTimeout)
	case s.ProxyCommand != "":
		shell := os.Getenv("SHELL")
		if shell == "" {
			shell = "/bin/sh"
		}
		return process.Start(shell, "-c", "exec "+s.ProxyCommand)
	}
	conn, err := new(net.Dialer).DialContext(ctx, s.Network, address)
	return conn, hosterror.Dialing(err, s.Network, s.ConnectTimeout)
}
