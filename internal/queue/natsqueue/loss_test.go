package natsqueue_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"psync/internal/campaign"
	"psync/internal/queue"
	"psync/internal/queue/natsqueue"
)

// save has the server keep what it has at this moment, and returns a function that starts a server which has lost what came
// later.
func (b *bench) save() (restore func()) {
	b.Helper()
	b.stop()
	saved := b.TempDir()
	b.ok(os.CopyFS(saved, os.DirFS(b.dir)))
	b.start()
	return func() {
		b.Helper()
		b.stop()
		b.ok(os.RemoveAll(b.dir))
		b.ok(os.CopyFS(b.dir, os.DirFS(saved)))
		b.start()
	}
}

// awaitLost waits until a process has found that something was lost.
func awaitLost(b *bench, q queue.Queue) {
	b.Helper()
	select {
	case <-q.Lost():
	case <-time.After(lease):
		b.Error("after the length of a lease, the process has not found that the server has lost something")
	}
	if _, err := q.State(b.Context()); !errors.Is(err, queue.ErrLost) {
		b.Errorf("state: %v, want %v", err, queue.ErrLost)
	}
}

// TestServerLosesClaim has a server lose a claim. No other host gets the bundle before the lease of the host that has it has
// lapsed, and that host finds that it has nothing any more.
func TestServerLosesClaim(t *testing.T) {
	for _, tt := range []struct {
		name string
		// later is what others do before the host with the claim asks for anything.
		later func(b *bench, q queue.Queue)
	}{
		{"and nothing happens", func(*bench, queue.Queue) {}},
		{"and fewer commands follow", func(b *bench, q queue.Queue) { b.join(q) }},
		{"and more commands follow", func(b *bench, q queue.Queue) {
			for range 10 {
				b.join(q)
			}
		}},
		{"and records follow", func(b *bench, q queue.Queue) {
			for range 10 {
				r := queue.Record{ID: queue.NewID(), Round: 1}
				b.ok(again(b.Context(), func(ctx context.Context) error { return q.Append(ctx, r) }))
			}
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			inBubble(t, func(b *bench) {
				ctx, first := b.Context(), b.open()
				member := b.join(first)
				b.begin(first, queue.Round{N: 1}, "a")
				restore := b.save()
				for range 3 {
					b.ok(again(ctx, func(ctx context.Context) error { return first.Report(ctx, member, queue.Status{}) }))
				}
				time.Sleep(lease) // bundles can be claimed again
				claimed := time.Now()
				c, err := first.Claim(ctx, member, queue.NewID(), 1)
				b.ok(err)
				restore()
				second := b.open()
				other := b.join(second)
				if taken, err := second.Claim(ctx, other, queue.NewID(), 1); !errors.Is(err, queue.ErrEmpty) {
					b.Errorf("another host claims %v, %v", taken.Bundle.Dirs, err)
				}
				tt.later(b, second)
				if err := again(ctx, func(ctx context.Context) error { return first.Renew(ctx, c) }); !errors.Is(err, queue.ErrLost) {
					b.Errorf("renewal: %v, want %v", err, queue.ErrLost)
				}
				awaitLost(b, first)
				wantClaimable(b, second, other, claimed)
				select {
				case <-second.Lost():
					b.Error("a process has lost something that was never there for it")
				default:
				}
			})
		})
	}
}

// wantClaimable wants the bundle to be claimable when the lease of an earlier claim has lapsed.
func wantClaimable(b *bench, q queue.Queue, member queue.ID, claimed time.Time) {
	b.Helper()
	for {
		s, err := q.State(b.Context())
		b.ok(err)
		if s.Claimable() {
			break
		}
		time.Sleep(max(s.Lapse, time.Millisecond))
	}
	_, err := q.Claim(b.Context(), member, queue.NewID(), 1)
	b.ok(err)
	if d := time.Since(claimed); d < lease {
		b.Errorf("the bundle was taken %v after it was claimed", d)
	}
}

// TestServerKeepsAll has a server that is killed lose nothing, so that everyone goes on.
func TestServerKeepsAll(t *testing.T) {
	inBubble(t, func(b *bench) {
		ctx, first, second := b.Context(), b.open(), b.open()
		member := b.join(first)
		b.begin(first, queue.Round{N: 1}, "a")
		c, err := first.Claim(ctx, member, queue.NewID(), 1)
		b.ok(err)
		for range 3 {
			b.stop()
			b.start()
			b.ok(again(ctx, func(ctx context.Context) error { return first.Renew(ctx, c) }))
			b.join(second)
		}
		b.ok(first.Finish(ctx, c))
	})
}

// TestStreamIsChanged has an administrator change what no one may change.
func TestStreamIsChanged(t *testing.T) {
	for _, tt := range []struct {
		name   string
		change func(ctx context.Context, js jetstream.JetStream, s jetstream.Stream, c jetstream.StreamConfig) error
		open   bool // the job can be opened again
	}{
		{"removed", func(ctx context.Context, js jetstream.JetStream, _ jetstream.Stream, c jetstream.StreamConfig) error {
			return js.DeleteStream(ctx, c.Name)
		}, true},
		{"removed and created anew", func(ctx context.Context, js jetstream.JetStream, _ jetstream.Stream, c jetstream.StreamConfig) error {
			if err := js.DeleteStream(ctx, c.Name); err != nil {
				return err
			}
			_, err := js.CreateStream(ctx, c)
			return err
		}, true},
		{"limited", func(ctx context.Context, js jetstream.JetStream, _ jetstream.Stream, c jetstream.StreamConfig) error {
			c.MaxMsgs = 3
			_, err := js.UpdateStream(ctx, c)
			return err
		}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			inBubble(t, func(b *bench) {
				ctx, q := b.Context(), b.open()
				member := b.join(q)
				b.begin(q, queue.Round{N: 1}, "a", "b")
				js, err := jetstream.New(b.connect())
				b.ok(err)
				s, err := js.Stream(ctx, "psync-job")
				b.ok(err)
				b.ok(tt.change(ctx, js, s, s.CachedInfo().Config))
				for range 2 {
					err = q.Report(ctx, member, queue.Status{})
				}
				if tt.open && !errors.Is(err, queue.ErrLost) {
					b.Errorf("report: %v, want %v", err, queue.ErrLost)
				}
				if _, err := q.State(ctx); !errors.Is(err, queue.ErrLost) {
					b.Errorf("state: %v, want %v", err, queue.ErrLost)
				}
				_, err = natsqueue.Open(ctx, b.connect(), natsqueue.Options{Job: "job", Create: true, Lease: lease})
				if tt.open != (err == nil) || err != nil && !errors.Is(err, queue.ErrLost) {
					b.Errorf("another process: %v", err)
				}
				time.Sleep(lease) // the client does not end while it looks for a stream that is not there
			})
		})
	}
}

// TestRandomLosses has two processes work on a job while the server loses what it has acknowledged, at random. LOSSES says how
// many jobs there are. At no time, two processes that have not found that out hold one bundle, before one of them has
// lost its lease.
func TestRandomLosses(t *testing.T) {
	found := 0
	seeds := campaign.Seeds("LOSSES", 10, 200)
	for _, seed := range seeds {
		t.Run(fmt.Sprintf("seed=%d", seed), func(t *testing.T) {
			inBubble(t, func(b *bench) { found += loseAtRandom(b, rand.New(rand.NewPCG(seed, 11))) })
		})
	}
	if found < len(seeds)/4 {
		t.Errorf("in %d jobs, %d losses were found", len(seeds), found)
	}
}

// A holder is a process, with what it believes to hold and until when it does.
type holder struct {
	*natsqueue.Queue
	id    queue.ID
	held  map[queue.ID]queue.Claim
	until map[queue.ID]time.Time
}

func newHolder(b *bench) *holder {
	q := b.open()
	return &holder{Queue: q, id: b.join(q), held: make(map[queue.ID]queue.Claim), until: make(map[queue.ID]time.Time)}
}

func loseAtRandom(b *bench, r *rand.Rand) (found int) {
	keeper := newHolder(b)
	var paths []string
	for i := range 5 {
		paths = append(paths, fmt.Sprint(i))
	}
	b.begin(keeper, queue.Round{N: 1}, paths...)
	hosts := []*holder{newHolder(b), newHolder(b)}
	for range 3 {
		for range r.IntN(10) {
			found += step(b, r, hosts)
		}
		restore := b.save()
		for range r.IntN(10) {
			found += step(b, r, hosts)
		}
		restore()
		for range 10 {
			found += step(b, r, hosts)
		}
	}
	return found
}

// step has one of the hosts do something. One that finds that something is lost ends, and begins again.
func step(b *bench, r *rand.Rand, hosts []*holder) (found int) {
	b.Helper()
	i := r.IntN(len(hosts))
	h, ctx, sent := hosts[i], b.Context(), time.Now()
	var err error
	switch r.IntN(4) {
	case 0:
		var c queue.Claim
		if c, err = h.Claim(ctx, h.id, queue.NewID(), 1); err == nil {
			h.held[c.Bundle.ID], h.until[c.Bundle.ID] = c, sent.Add(lease)
			for _, other := range hosts {
				if other != h && time.Now().Before(other.until[c.Bundle.ID]) {
					b.Errorf("two hosts hold %v, one of them for %v", c.Bundle.Dirs, time.Until(other.until[c.Bundle.ID]))
				}
			}
		}
	case 1:
		for id, c := range h.held {
			if err = h.Renew(ctx, c); err == nil {
				h.until[id] = sent.Add(lease)
			}
			break
		}
	case 2:
		for id, c := range h.held {
			err = h.GiveBack(ctx, c)
			delete(h.held, id)
			delete(h.until, id)
			break
		}
	default:
		time.Sleep(time.Duration(r.Int64N(int64(lease))))
	}
	select {
	case <-h.Lost():
		hosts[i] = newHolder(b)
		return 1
	default:
	}
	switch {
	case err == nil, errors.Is(err, queue.ErrEmpty), errors.Is(err, queue.ErrTaken), errors.Is(err, queue.ErrUnknown), errors.Is(err, context.DeadlineExceeded):
	default:
		b.Errorf("unexpected: %v", err)
	}
	return 0
}
