package sshconn

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strconv"
	"sync"
	"time"

	"golang.org/x/crypto/ssh"

	"psync/internal/sshconn/config"
	"psync/internal/sshconn/hostkey"
)

// native connects without ssh.
func (d *Dialer) native(ctx context.Context, s *config.Host, via []Target, depth int) (*Client, error) {
	hop, err := d.hop(ctx, s, via, depth)
	if err != nil {
		return nil, err
	}
	c, err := d.throughHop(ctx, s, hop)
	if err != nil && hop != nil {
		_ = hop.Close() // It has served its purpose.
	}
	return c, err
}

func (d *Dialer) throughHop(ctx context.Context, s *config.Host, hop *Client) (*Client, error) {
	// A host on the way has authenticated already, so that hosts that wait for others cannot block.
	select {
	case d.handshakes <- struct{}{}:
		defer func() { <-d.handshakes }()
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	l := &login{d: d, ctx: ctx, s: s}
	config, err := l.config()
	if l.auth != nil {
		defer l.auth.close()
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

// connect opens the way to a host, by which the protocol is spoken.
func connect(ctx context.Context, s *config.Host, hop *Client) (net.Conn, error) {
	address := net.JoinHostPort(s.HostName, strconv.Itoa(s.Port))
	ctx, cancel := context.WithTimeout(ctx, s.ConnectTimeout)
	defer cancel()
	switch {
	case hop != nil:
		conn, err := hop.conn.DialContext(ctx, "tcp", address)
		var refused *ssh.OpenChannelError
		if errors.As(err, &refused) {
			err = fmt.Errorf("%s cannot connect to it: %s", escape(hop.host), escape(refused.Message))
		}
		return conn, dialError(err, s.ConnectTimeout)
	case s.ProxyCommand != "":
		shell := os.Getenv("SHELL")
		if shell == "" {
			shell = "/bin/sh"
		}
		return start(shell, "-c", "exec "+s.ProxyCommand)
	}
	conn, err := new(net.Dialer).DialContext(ctx, s.Network, address)
	return conn, dialError(err, s.ConnectTimeout)
}

// login is the handshake with one host.
type login struct {
	d         *Dialer
	ctx       context.Context // of the call of Dial that the login is part of
	s         *config.Host
	auth      *authentication
	countdown countdown
	keyErr    error // why the host's key was not accepted
}

// config returns what the handshake needs to know. It sets the login's authentication.
func (l *login) config() (*ssh.ClientConfig, error) {
	algorithms, err := algorithms(l.s)
	if err != nil {
		return nil, err
	}
	keys, err := l.hostKeys()
	if err != nil {
		return nil, err
	}
	order, err := hostKeyOrder(l.s, keys.Algorithms())
	if err != nil {
		return nil, err
	}
	ask := l.ask
	if l.s.BatchMode || l.d.options.AskSecret == nil || l.d.options.Ask == nil {
		ask = nil
	}
	if l.auth, err = newAuthentication(l.ctx, l.s, &l.d.secrets, ask, l.countdown.pause); err != nil {
		return nil, err
	}
	return &ssh.ClientConfig{
		Config: algorithms, User: l.s.User, HostKeyAlgorithms: order, AuthCallback: l.auth.next,
		HostKeyCallback: func(_ string, _ net.Addr, key ssh.PublicKey) error {
			l.keyErr = keys.Check(key)
			return l.keyErr
		},
	}, nil
}

// hostKeys returns what checks the keys of the host.
func (l *login) hostKeys() (*hostkey.Checker, error) {
	h := hostkey.Host{
		Name: l.s.HostName, Port: strconv.Itoa(l.s.Port), Files: l.s.KnownHosts, Add: l.s.UserKnownHosts, Hash: l.s.HashKnownHosts,
		Accept: l.confirm, Notify: l.d.notify,
	}
	if l.s.HostKeyAlias != "" {
		h.Name, h.Port = l.s.HostKeyAlias, "22"
	}
	return hostkey.NewChecker(h)
}

// ask asks the user a question, for which the host has to wait.
func (l *login) ask(prompt string, secret bool) (string, error) {
	defer l.countdown.pause()()
	return l.d.ask(l.ctx, prompt, secret)
}

// confirm says whether to trust a host that is not known. Only yes is a yes.
func (l *login) confirm(question string) (bool, error) {
	switch {
	case l.d.options.AcceptNew || l.s.KeyChecking == "accept-new":
		return true, nil
	case l.s.KeyChecking == "yes" || l.s.BatchMode || l.d.options.Ask == nil:
		return false, nil
	}
	answer, err := l.ask(question, false)
	if errors.Is(err, io.EOF) {
		return false, nil // The user has ended the input instead.
	}
	return answer == "yes", err
}

// handshake speaks with a host until the user is authenticated.
func (l *login) handshake(way net.Conn, config *ssh.ClientConfig, hop *Client) (*Client, error) {
	conn := &promptConn{Conn: way}
	l.countdown.start(l.s.ConnectTimeout, conn)
	stop := context.AfterFunc(l.ctx, func() { _ = conn.Close() }) // The handshake will tell.
	address := net.JoinHostPort(l.s.HostName, strconv.Itoa(l.s.Port))
	sc, chans, requests, err := ssh.NewClientConn(conn, address, config)
	stop()
	expired := l.countdown.stop()
	if err != nil {
		return nil, l.explain(err, way, expired)
	}
	l.auth.succeeded()
	below := []io.Closer{conn}
	if hop != nil {
		below = append(below, hop)
	}
	c := newClient(l.s, sc, chans, requests, below...)
	conn.answerFirst(func() {
		_, _, _ = c.conn.SendRequest("keepalive@openssh.com", false, nil) // that the connection is lost is found out by others
	})
	go c.watch()
	go c.keepAlive(l.s.AliveInterval, l.s.AliveCountMax)
	return c, nil
}

// explain finds the cause of a handshake that has failed.
func (l *login) explain(err error, conn net.Conn, expired bool) error {
	_ = conn.Close() // It has failed already; a process ends by it.
	var negotiation *ssh.AlgorithmNegotiationError
	var needs *needsSSHError
	var refused *remedied
	switch {
	case expired:
		return errTimeout(l.s.ConnectTimeout)
	case errors.As(err, &needs):
		return needs
	case errors.As(err, &negotiation):
		return &needsSSHError{fmt.Sprintf("the algorithms of the host (%s: %s)", negotiation.What, escape(fmt.Sprint(negotiation.RequestedAlgorithms)))}
	case l.keyErr != nil:
		return l.keyErr
	case errors.As(err, &refused):
		return refused
	case l.auth.started:
		return l.auth.refused(nil)
	}
	if p, ok := conn.(*process); ok && p.stderr.String() != "" {
		return fmt.Errorf("the ProxyCommand says: %s", lastLine(p.stderr.String()))
	}
	if errors.Is(err, io.EOF) {
		return errors.New("the connection was closed before the handshake was complete")
	}
	return errors.New(escape(err.Error()))
}

// A countdown closes a connection when its time is over. It stands still while the user is asked.
type countdown struct {
	mu      sync.Mutex
	timer   *time.Timer
	limit   time.Duration
	expired bool
}

func (c *countdown) start(limit time.Duration, conn io.Closer) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.limit = limit
	c.timer = time.AfterFunc(limit, func() {
		c.mu.Lock()
		c.expired = true
		c.mu.Unlock()
		_ = conn.Close() // Who waits for it will tell.
	})
}

// stop stops the countdown. It reports whether that was too late.
func (c *countdown) stop() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.timer.Stop()
	return c.expired
}

// pause stops the countdown until the function that it returns is called. Before the start it does
// nothing.
func (c *countdown) pause() (resume func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.timer == nil || !c.timer.Stop() {
		return func() {}
	}
	return func() { c.timer.Reset(c.limit) }
}
