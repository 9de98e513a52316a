package sshconn

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"strconv"

	"psync/internal/sshconn/client"
	"psync/internal/sshconn/config"
	"psync/internal/sshconn/hosterror"
	"psync/internal/sshconn/process"
)

// dial connects to a target through the hosts via, or as configured if there are none.
func (d *Dialer) dial(ctx context.Context, t Target, via []Target, depth int) (*client.Client, error) {
	words := []string{"ssh"}
	named := len(d.options.Command) > 0
	if named && depth == 0 {
		words = d.options.Command
	}
	s, err := config.Lookup(ctx, t, words, d.options.ConfigFile)
	if err != nil {
		return nil, err
	}
	if d.options.ConnectTimeout > 0 {
		s.ConnectTimeout = d.options.ConnectTimeout
	}
	if named && depth == 0 {
		c, err := d.startMaster(ctx, t, s, via, words)
		return c, hosterror.About(ctx, t.Host, s.Port, err)
	}
	if c := dialMaster(ctx, s, s.ControlPath); c != nil {
		return c, nil
	}
	if s.NeedsSSH != "" {
		err = &hosterror.NeedsSSHError{What: s.NeedsSSH}
	}
	var c *client.Client
	if err == nil {
		c, err = d.native(ctx, s, via, depth)
	}
	if _, needs := errors.AsType[*hosterror.NeedsSSHError](err); !needs {
		return c, hosterror.About(ctx, t.Host, s.Port, err)
	}
	if _, lookErr := exec.LookPath("ssh"); lookErr != nil {
		return nil, hosterror.About(ctx, t.Host, s.Port, &hosterror.RemediedError{Cause: err, Remedy: "install ssh"})
	}
	c, err = d.startMaster(ctx, t, s, via, words)
	return c, hosterror.About(ctx, t.Host, s.Port, err)
}

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
		return process.Start(cmp.Or(os.Getenv("SHELL"), "/bin/sh"), "-c", "exec "+s.ProxyCommand)
	}
	conn, err := new(net.Dialer).DialContext(ctx, s.Network, address)
	return conn, hosterror.Dialing(err, s.Network, s.ConnectTimeout)
}

// maxHops is the maximum number of jump hosts. More indicate a loop in the configuration.
const maxHops = 8

// hop connects to the last jump host, through the others. It returns nil if there are none.
func (d *Dialer) hop(ctx context.Context, s *config.Host, via []Target, depth int) (*client.Client, error) {
	if len(via) == 0 {
		via = s.ProxyJump
	}
	if len(via) == 0 {
		return nil, nil
	}
	last := via[len(via)-1]
	if last.Host == s.Alias && (last.Port == 0 || last.Port == s.Port) && (last.User == "" || last.User == s.User) {
		return nil, nil // As in ssh, "Host *" may name a jump host that it also applies to.
	}
	if depth == maxHops {
		return nil, fmt.Errorf("ProxyJump leads through more than %d hosts", maxHops)
	}
	return d.dial(ctx, last, via[:len(via)-1], depth+1)
}
