package farhost

import (
	"context"
	"net"
	"sync"
	"sync/atomic"
	"time"
)

// A proxy forwards connections with a delay and unlimited bandwidth.
type proxy struct {
	net.Listener
	server    string       // host:port
	roundTrip atomic.Int64 // a time.Duration, for new connections
	ctx       context.Context
	stop      context.CancelFunc
	running   sync.WaitGroup
}

// listen starts a proxy before server at a free port of the loopback interface.
func listen(ctx context.Context, server string) (*proxy, error) {
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	p := &proxy{Listener: l, server: server}
	p.ctx, p.stop = context.WithCancel(ctx)
	p.running.Go(p.accept)
	return p, nil
}

func (p *proxy) accept() {
	for {
		c, err := p.Accept()
		if err != nil {
			return // Close
		}
		p.running.Go(func() { p.connection(c) })
	}
}

// connection forwards data in both directions until one end or the proxy is closed.
func (p *proxy) connection(client net.Conn) {
	ctx, cancel := context.WithCancel(p.ctx)
	defer cancel()
	delay := time.Duration(p.roundTrip.Load())
	pause(ctx, delay) // the handshake of TCP
	server, err := new(net.Dialer).DialContext(ctx, "tcp", p.server)
	if err != nil {
		_ = client.Close() // the client sees the end
		return
	}
	var both sync.WaitGroup
	both.Go(func() { pass(ctx, cancel, server, client, delay/2) })
	both.Go(func() { pass(ctx, cancel, client, server, delay/2) })
	<-ctx.Done()
	_, _ = client.Close(), server.Close() // nothing is left to forward
	both.Wait()
}

// A parcel holds bytes and the time when they arrive.
type parcel struct {
	due  time.Time
	data []byte
}

// pass copies from one connection to another with a delay, and calls done at the end.
func pass(ctx context.Context, done func(), to, from net.Conn, delay time.Duration) {
	const underWay = 4096 // maximum number of parcels in flight, enough for any delay
	parcels := make(chan parcel, underWay)
	go func() {
		defer close(parcels)
		for {
			data := make([]byte, 64<<10)
			n, err := from.Read(data)
			if n > 0 {
				select {
				case parcels <- parcel{time.Now().Add(delay), data[:n]}:
				case <-ctx.Done():
				}
			}
			if err != nil {
				return
			}
		}
	}()
	defer done()
	for p := range parcels {
		pause(ctx, time.Until(p.due))
		if _, err := to.Write(p.data); err != nil {
			return
		}
	}
}

// pause waits, or returns early when ctx ends.
func pause(ctx context.Context, d time.Duration) {
	if d <= 0 {
		return
	}
	select {
	case <-time.After(d):
	case <-ctx.Done():
	}
}

// Close ends all connections.
func (p *proxy) Close() error {
	err := p.Listener.Close()
	p.stop()
	p.running.Wait()
	return err
}
