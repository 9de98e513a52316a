// Package client holds connections to hosts, and the channels that are opened on them.
package client

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/crypto/ssh"

	"psync/internal/sshconn/config"
	"psync/internal/sshconn/hosterror"
	"psync/internal/sshconn/printable"
)

// A Client is a connection to a host. Its methods are safe for concurrent use.
type Client struct {
	host     string
	port     int
	endpoint Endpoint
	// session starts a request, which is "exec" or "subsystem".
	session func(ctx context.Context, request, name string) (*Channel, error)
	conn    *ssh.Client // nil if the connection is a process with one channel
	below   []io.Closer // what the connection uses, the last first
	rtt     atomic.Int64

	once   sync.Once
	closed chan struct{}
	ended  chan struct{} // closed when the connection has ended and err says why

	mu  sync.Mutex
	err error // why the connection was lost
}

// An Endpoint describes where a connection ends, and which user is logged in there. It is zero if only a
// command knows.
type Endpoint struct {
	User, HostName string
	Port           int
	Way            string // the hosts or the command on the way
}

// Endpoint returns where the connection ends. Connections with equal endpoints lead to the same host, even if
// the user named it differently.
func (c *Client) Endpoint() Endpoint { return c.endpoint }

// Exec starts a command, which the user's shell on the host parses. If a command is used in place of ssh, there may be
// no shell, and the arguments are the words between spaces.
func (c *Client) Exec(ctx context.Context, command string) (*Channel, error) {
	return c.session(ctx, "exec", command)
}

// Subsystem starts a subsystem, such as "sftp".
func (c *Client) Subsystem(ctx context.Context, name string) (*Channel, error) {
	return c.session(ctx, "subsystem", name)
}

// DialSocket opens a channel to a socket on the host. Many hosts refuse that.
func (c *Client) DialSocket(path string) (io.ReadWriteCloser, error) {
	if c.conn == nil {
		return nil, errors.ErrUnsupported
	}
	return c.conn.Dial("unix", path)
}

// DialTCP connects to an address through the host.
func (c *Client) DialTCP(ctx context.Context, address string) (net.Conn, error) {
	conn, err := c.conn.DialContext(ctx, "tcp", address)
	if refused, ok := errors.AsType[*ssh.OpenChannelError](err); ok {
		err = fmt.Errorf("%s cannot connect to it: %s", printable.Text(c.host), printable.Text(refused.Message))
	}
	return conn, err
}

// RTT returns the shortest time that the host has taken to answer, or 0 if that is unknown, as before the
// first channel.
func (c *Client) RTT() time.Duration { return time.Duration(c.rtt.Load()) }

// Err returns why the connection was lost, or nil if it was not.
func (c *Client) Err() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.err
}

// Close closes the connection and everything that it uses.
func (c *Client) Close() error {
	c.once.Do(func() {
		close(c.closed)
		if c.conn != nil {
			_ = c.conn.Close() // It may be lost already.
		}
		for _, b := range c.below {
			_ = b.Close() // As above.
		}
	})
	return nil
}

// New returns a Client for a connection that uses below, which are closed with it, in order.
func New(s *config.Host, conn ssh.Conn, chans <-chan ssh.NewChannel, requests <-chan *ssh.Request, below ...io.Closer) *Client {
	c := &Client{
		host: s.Alias, port: s.Port, endpoint: Endpoint{s.User, s.HostName, s.Port, fmt.Sprint(s.ProxyJump, s.ProxyCommand)},
		conn: ssh.NewClient(conn, chans, requests), below: below, closed: make(chan struct{}), ended: make(chan struct{}),
	}
	c.session = c.open
	go c.watch()
	return c
}

// lose closes the connection. The first call determines the reason.
func (c *Client) lose(reason error) {
	c.mu.Lock()
	c.err = cmp.Or[error](c.err, &hosterror.Error{Host: printable.Text(c.host), Port: c.port, Err: reason})
	c.mu.Unlock()
	_ = c.conn.Close() // reason is the error that matters.
}

// watch records why the connection ends.
func (c *Client) watch() {
	defer close(c.ended)
	err := c.conn.Wait()
	select {
	case <-c.closed:
		return
	default:
	}
	if err == nil || errors.Is(err, io.EOF) {
		err = errors.New("the connection was closed by the other side")
	} else {
		err = fmt.Errorf("the connection was lost: %s", printable.Text(err.Error()))
	}
	c.lose(err)
}

// KeepAlive sends a keepalive request at each interval, and closes the connection if count of them are not
// answered. It returns when the connection has ended.
func (c *Client) KeepAlive(interval time.Duration, count int) {
	limit := interval * time.Duration(count)
	ticks := time.NewTicker(interval)
	defer ticks.Stop()
	for {
		select {
		case <-c.closed:
			return
		case <-ticks.C:
		}
		timer := time.AfterFunc(limit, func() { c.lose(fmt.Errorf("the connection was lost: %w", hosterror.TimeoutError(limit))) })
		begin := time.Now()
		_, _, err := c.conn.SendRequest("keepalive@openssh.com", true, nil)
		timer.Stop()
		if err != nil {
			return
		}
		c.answered(begin)
	}
}

// answered records that the host has answered a request.
func (c *Client) answered(sent time.Time) {
	took := int64(max(time.Since(sent), 1))
	for {
		least := c.rtt.Load()
		if least != 0 && least <= took || c.rtt.CompareAndSwap(least, took) {
			return
		}
	}
}

// open opens a channel of the protocol and starts a request on it.
func (c *Client) open(ctx context.Context, request, name string) (*Channel, error) {
	type result struct {
		channel *Channel
		err     error
	}
	opened := make(chan result, 1)
	go func() {
		ch, err := c.openSession(request, name)
		opened <- result{ch, err}
	}()
	select {
	case r := <-opened:
		return r.channel, hosterror.About(ctx, c.host, c.port, r.err)
	case <-ctx.Done():
		go func() {
			if r := <-opened; r.channel != nil {
				_ = r.channel.Close() // The caller no longer waits for it.
			}
		}()
		return nil, context.Cause(ctx)
	}
}

func (c *Client) openSession(request, name string) (*Channel, error) {
	begin := time.Now()
	ch, requests, err := c.conn.OpenChannel("session", nil)
	var refused *ssh.OpenChannelError
	if errors.As(err, &refused) {
		// A server with a limit of sessions may count one for a moment after it was closed. That is over when the
		// server answers.
		begin = time.Now()
		ch, requests, err = c.conn.OpenChannel("session", nil)
	}
	switch {
	case errors.As(err, &refused):
		return nil, fmt.Errorf("the host refuses another channel: %s", printable.Text(refused.Message))
	case err != nil:
		return nil, c.lost()
	}
	c.answered(begin)
	channel := newChannel(ch, requests, c.lost)
	ok, err := ch.SendRequest(request, true, ssh.Marshal(struct{ Name string }{name}))
	if err != nil {
		_ = channel.Close() // as below
		return nil, c.lost()
	}
	if !ok {
		_ = channel.Close() // What matters is why.
		return nil, fmt.Errorf("the host refuses the %s %s", request, printable.Text(name))
	}
	return channel, nil
}

// grace is how long to wait for a connection to end and report why.
const grace = 200 * time.Millisecond

// lost returns why a channel has ended by itself. If the connection was lost, its channels end a moment
// before it does.
func (c *Client) lost() error {
	select {
	case <-c.ended:
	case <-time.After(grace):
	}
	if err := c.Err(); err != nil {
		return err
	}
	return errors.New("the channel was closed before the command ended")
}
