package agent

import (
	"context"
	"errors"
	"io"
	"net"
	"testing"
	"testing/synctest"
	"time"

	"psync/internal/agent/socket"
	"psync/internal/vfs"
	"psync/internal/wire"
)

// laterClock has a server with a fake clock take no file for one that another process has changed since.
func laterClock(s *server) {
	s.now = func() time.Time { return time.Date(2200, 1, 1, 0, 0, 0, 0, time.UTC) }
}

func TestServerEndsWhenNothingIsHeard(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		c := connect(t, Options{}, laterClock)
		c.open(1, dir)
		must[wire.AttrAnswer](c, &wire.Create{New: 2, Dir: 1, Name: "f", Perm: 0o600, Unfinished: true, Mode: vfs.Create})
		for range 5 {
			time.Sleep(59 * time.Second)
			must[wire.Done](c, &wire.Ping{})
		}
		start := time.Now()
		if err := <-c.served; !errors.Is(err, errSilent) {
			t.Errorf("Serve returned %v", err)
		}
		if d := time.Since(start); d != time.Minute {
			t.Errorf("it ended after %v", d)
		}
	})
	wantFiles(t, dir)
}

// noListener stands for a socket at which no one arrives.
type noListener struct{ net.Listener }

func (noListener) Addr() net.Addr { return &net.UnixAddr{Name: "/tmp/psync-1/s"} }

// TestServerWaitsForItsClient has a client that could come back go away, and stay away. What is unfinished is removed.
func TestServerWaitsForItsClient(t *testing.T) {
	for _, tt := range []struct {
		name  string
		leave func(c *client) error
		want  time.Duration
		err   error
	}{
		{"it is killed", func(c *client) error { return c.conn.Close() }, maxLost, errSilent},
		{"its network is gone", func(*client) error { return nil }, maxOutage, errSilent},
		{"it closes the connection", func(c *client) error {
			return errors.Join(c.notify(&wire.Goodbye{}), c.conn.Close())
		}, 0, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			synctest.Test(t, func(t *testing.T) {
				c := connectRaw(t, Options{}, func(s *server) { s.listener = &socket.Listener{Listener: noListener{}} }, laterClock)
				must[wire.Welcome](c, &wire.Hello{Major: wire.Major, Resumes: true})
				if err := c.notify(&wire.Ack{}); err != nil { // from now on, the link outlives the connection
					t.Fatal(err)
				}
				c.open(1, dir)
				must[wire.AttrAnswer](c, &wire.Create{New: 2, Dir: 1, Name: "f", Perm: 0o600, Unfinished: true, Mode: vfs.Create})
				start := time.Now()
				if err := tt.leave(c); err != nil {
					t.Error(err)
				}
				if err := <-c.served; err != tt.err {
					t.Errorf("Serve returned %v", err)
				}
				if d := time.Since(start); d != tt.want {
					t.Errorf("it ended after %v, want %v", d, tt.want)
				}
			})
			wantFiles(t, dir)
		})
	}
}

// TestSlowLine sends a frame that takes long to arrive.
func TestSlowLine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := connect(t, Options{})
		frame, err := wire.Append(nil, wire.Frame{ID: 9, Message: &wire.Ping{}})
		if err != nil {
			t.Fatal(err)
		}
		for i := range frame {
			time.Sleep(50 * time.Second)
			if _, err := c.conn.Write(frame[i : i+1]); err != nil {
				t.Fatal(err)
			}
		}
		mustBe[wire.Done](c, <-c.queue(9))
	})
}

// TestBusyServerIsNotSilent has no frame read for long, because the server is at work.
func TestBusyServerIsNotSilent(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		slow := func(_, name string) error {
			if name == "slow" {
				time.Sleep(10 * time.Minute)
			}
			return nil
		}
		c := connect(t, Options{}, func(s *server) { s.paths = faulty{before: slow} })
		c.open(1, dir)
		for range limit() {
			c.send(&wire.Lstat{Target: target(1, "slow")})
		}
		mustBe[wire.Done](c, <-c.send(&wire.Ping{}))
	})
}

func TestServerEndsWithItsContext(t *testing.T) {
	theirs, ours := net.Pipe()
	defer func() { _ = ours.Close() }()
	ctx, cancel := context.WithCancelCause(t.Context())
	served := make(chan error)
	go func() { served <- Serve(ctx, theirs, Options{}) }()
	if _, err := io.ReadFull(ours, make([]byte, len(wire.Magic))); err != nil {
		t.Fatal(err)
	}
	why := errors.New("a signal")
	cancel(why)
	if err := <-served; err != why {
		t.Errorf("Serve returned %v", err)
	}
}
