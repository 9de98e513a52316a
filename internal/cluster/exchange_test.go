package cluster

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"psync/internal/engine/peers"
	"psync/internal/journal"
	"psync/internal/queue"
	"psync/internal/queue/memqueue"
	"psync/internal/queue/protocol"
)

// A heap is a stack on which as many directories wait as wanted, as soon as a bundle is put.
type heap struct {
	want    int
	bundle  *peers.Bundle
	waiting int
	changed chan struct{}
}

func (h *heap) Put(b *peers.Bundle, dirs []peers.Key) {
	h.bundle, h.waiting = b, h.want
	b.Add(h.want)
}

func (h *heap) Take(n int, fits func(peers.Key) bool) (taken []peers.Taken) {
	for i := range n {
		taken = append(taken, peers.Taken{Bundle: h.bundle, Key: peers.Key{Path: fmt.Sprint(h.waiting - i)}})
	}
	h.waiting -= n
	return taken
}

func (h *heap) Waiting() int             { return h.waiting }
func (h *heap) Changed() <-chan struct{} { return h.changed }
func (h *heap) NotifyAbove(int)          {}

func (h *heap) Idle() int {
	if h.bundle == nil {
		return 1
	}
	return 0
}

// TestWhatIsPut has one host with work, and perhaps one without.
func TestWhatIsPut(t *testing.T) {
	for _, tt := range []struct {
		waiting int
		hungry  bool
		bundles int // that others can claim
		left    int // that wait on the stack
	}{
		{protocol.MaxFrontier, false, 0, protocol.MaxFrontier},
		{protocol.MaxFrontier + 1, false, 1, protocol.MaxFrontier + 1 - queue.MaxDirs},
		{protocol.MaxFrontier + queue.MaxDirs + 1, false, 2, protocol.MaxFrontier + 1 - queue.MaxDirs},
		{1, true, 0, 1},
		{5, true, 1, 3},
		{1000, true, 1, 1000 - queue.MaxDirs},
	} {
		synctest.Test(t, func(t *testing.T) {
			q := memqueue.New(protocol.Lease, time.Now)
			r := queue.Round{N: 1}
			must := func(err error) {
				t.Helper()
				if err != nil {
					t.Fatal(err)
				}
			}
			must(q.Put(t.Context(), queue.Claim{}, queue.NewBundle(queue.Claim{}, r, []queue.Dir{{Path: "."}})))
			must(q.Begin(t.Context(), r))
			if tt.hungry {
				id := queue.NewID()
				must(q.Join(t.Context(), queue.Member{ID: id}))
				must(q.Report(t.Context(), id, queue.Status{Seq: 1, Hungry: true}))
			}
			h := &Host{Queue: q}
			must(h.Join(t.Context()))
			defer h.Leave()
			w := journal.NewSender(journal.Key{}, journal.Batch{Directories: 1, Delay: time.Second}, func([]byte) error { return nil })
			defer func() { must(w.Flush()) }()
			x := &exchange{working: h.working, round: r, sources: 1, journal: w}
			ctx, cancel := context.WithCancel(t.Context())
			s, done := &heap{want: tt.waiting, changed: make(chan struct{})}, make(chan error)
			go func() { done <- x.Exchange(ctx, s) }()
			time.Sleep(10 * time.Second)
			state, err := q.State(t.Context())
			must(err)
			if state.Waiting != tt.bundles || s.waiting != tt.left {
				t.Errorf("of %d, with a hungry host %v, %d are left, and %d bundles wait; want %d and %d",
					tt.waiting, tt.hungry, s.waiting, state.Waiting, tt.left, tt.bundles)
			}
			if open := s.bundle.Open(); open != tt.left {
				t.Errorf("%d are open, want %d", open, tt.left)
			}
			cancel()
			if err := <-done; !errors.Is(err, context.Canceled) {
				t.Error(err)
			}
		})
	}
}
