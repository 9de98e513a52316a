package sshhost

import (
	"context"

	"psync/internal/operand/location"
	"psync/internal/sshconn"
	"psync/internal/sshconn/client"
)

// A dial is a connection that is being made before anyone waits for it.
type dial struct {
	cancel context.CancelFunc
	done   chan struct{} // closed when the rest is set
	client *client.Client
	err    error
}

// Start begins to connect to a host that Open will be called for, and does not wait. Where there are two hosts, their
// users are logged in at the same time.
func (d *Dialer) Start(ctx context.Context, r location.Account) {
	ctx, cancel := context.WithCancel(ctx)
	s := &dial{cancel: cancel, done: make(chan struct{})}
	d.mu.Lock()
	d.started[r] = s
	d.mu.Unlock()
	go func() {
		defer close(s.done)
		s.client, s.err = d.connect(ctx, r)
	}()
}

func target(r location.Account) sshconn.Target {
	return sshconn.Target{User: r.User, Host: r.Host, Port: r.Port}
}

// connect connects to a host. If that takes long, it notifies the user.
func (d *Dialer) connect(ctx context.Context, r location.Account) (*client.Client, error) {
	defer d.noticeSlow(r)()
	return d.dialer.Dial(ctx, target(r))
}

// dial connects to a host, unless that was started. It holds the mutex.
func (d *Dialer) dial(ctx context.Context, r location.Account) (*client.Client, error) {
	s := d.started[r]
	if s == nil {
		return d.connect(ctx, r)
	}
	delete(d.started, r)
	<-s.done // it ends with the context that it was started with
	return s.client, s.err
}

// stop ends a connection that no one has waited for.
func (s *dial) stop() {
	s.cancel()
	<-s.done
	if s.client != nil {
		_ = s.client.Close() // nothing was asked of it
	}
}
