package agent

import (
	"context"
	"errors"
	"io"
	"net"
	"testing"
	"testing/synctest"
	"time"

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

// TestServerEndsWithItsConnection has a client be killed. What is unfinished is removed.
func TestServerEndsWithItsConnection(t *testing.T) {
	dir := t.TempDir()
	c := connect(t, Options{Socket: true})
	c.open(1, dir)
	must[wire.AttrAnswer](c, &wire.Create{New: 2, Dir: 1, Name: "f", Perm: 0o600, Unfinished: true, Mode: vfs.Create})
	if err := c.conn.Close(); err != nil {
		t.Error(err)
	}
	if err := <-c.served; err != nil {
		t.Errorf("Serve returned %v", err)
	}
	wantFiles(t, dir)
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
