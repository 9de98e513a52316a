package agent

import (
	"context"
	"errors"
	"io"
	"net"
	"testing"
	"testing/synctest"
	"time"

	"psync/internal/wire"
)

func TestServerEndsWhenNothingIsHeard(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		c := connect(t, Options{})
		c.open(1, dir)
		must[wire.AttrAnswer](c, &wire.Create{New: 2, Dir: 1, Name: "f", Perm: 0o600, Unfinished: true})
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

func TestServerEndsWithItsContext(t *testing.T) {
	theirs, ours := net.Pipe()
	defer ours.Close()
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
