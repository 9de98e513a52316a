package cluster_test

import (
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"psync/internal/cluster"
	"psync/internal/cluster/scope"
	"psync/internal/engine"
	"psync/internal/engine/source"
	"psync/internal/queue"
	"psync/internal/queue/protocol"
)

// TestMembership has a host join, stay a member for longer than a lease, and leave.
func TestMembership(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newTestbed(t, "f 644 x\n", "", 1)
		members := func() []queue.Member {
			s, err := b.queue.State(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			return s.Members
		}
		h := &cluster.Host{
			Queue: b.queue, Member: queue.Member{Name: "one", Facts: queue.Facts{{Name: "umask", Value: "0022"}}},
			Describe: func(s *queue.Status) { s.At = "here" },
		}
		if err := h.Join(t.Context()); err != nil {
			t.Fatal(err)
		}
		time.Sleep(3 * protocol.Lease)
		if m := members(); len(m) != 1 || m[0].Name != "one" || m[0].Age > protocol.Lease/2 || m[0].At != "here" {
			t.Errorf("the members are %+v", m)
		}
		other := &cluster.Host{Queue: b.queue}
		if err := other.Join(t.Context()); !errors.As(err, new(*queue.DifferenceError)) {
			t.Errorf("another host: %v", err)
		}
		h.Leave()
		other.Leave()
		if m := members(); len(m) != 0 {
			t.Errorf("the members are %+v", m)
		}
		overlapping := engine.Job{Sources: make([]source.Tree, 2)}
		if err := h.Run(t.Context(), overlapping); !errors.As(err, new(*scope.RefusedError)) {
			t.Errorf("sources that overlap: %v", err)
		}
	})
}

// TestObservers has a host that has joined run, and counts what it shows.
func TestObservers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newTestbed(t, "f 644 x\n", "", 1)
		var described, observed, round atomic.Int64
		h := &cluster.Host{
			Queue:    b.queue,
			Describe: func(*queue.Status) { described.Add(1) },
			Observe:  func(s queue.State) { observed.Add(1); round.Store(int64(s.Round.N)) },
		}
		if err := h.Join(t.Context()); err != nil {
			t.Fatal(err)
		}
		done := make(chan error)
		go func() { done <- h.Run(t.Context(), b.job(b.slow(0))) }()
		if status, err := b.keep(t.Context(), b.queue); status != 0 || err != nil {
			t.Errorf("keeper: %d, %v", status, err)
		}
		if err := <-done; err != nil || h.Status != 0 {
			t.Errorf("host: %d, %v", h.Status, err)
		}
		b.wantComplete(t)
		if described.Load() == 0 || observed.Load() == 0 || round.Load() != 2 {
			t.Errorf("%d reports, %d states, the last of round %d", described.Load(), observed.Load(), round.Load())
		}
	})
}
