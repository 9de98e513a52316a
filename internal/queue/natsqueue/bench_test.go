package natsqueue_test

import (
	"fmt"
	"testing"
	"time"

	"psync/internal/cluster/server"
	"psync/internal/queue"
	"psync/internal/queue/address"
	"psync/internal/queue/natsqueue"
)

// BenchmarkRequests has a server on the disk write everything before it answers, as psync-cluster serve does.
func BenchmarkRequests(b *testing.B) {
	s, err := server.Start(server.Options{Dir: b.TempDir(), Listen: "127.0.0.1:0", Log: b.Output()})
	if err != nil {
		b.Fatal(err)
	}
	defer s.Stop()
	a, err := address.Parse(s.URL() + "/job")
	if err != nil {
		b.Fatal(err)
	}
	conn, err := natsqueue.Dial(a, address.Security{})
	if err != nil {
		b.Fatal(err)
	}
	defer conn.Close()
	ctx, jobs := b.Context(), 0
	open := func(b *testing.B) *natsqueue.Queue {
		q, err := natsqueue.Open(ctx, conn, natsqueue.Options{Job: fmt.Sprint(jobs), Create: true, Lease: time.Minute})
		if err != nil {
			b.Fatal(err)
		}
		return q
	}
	run := func(name string, request func(q *natsqueue.Queue, id queue.ID, i int) error) {
		b.Run(name, func(b *testing.B) {
			jobs++
			q, id := open(b), queue.NewID()
			if err := q.Join(ctx, queue.Member{ID: id}); err != nil {
				b.Fatal(err)
			}
			for i := range b.N {
				if err := request(q, id, i); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	run("report", func(q *natsqueue.Queue, id queue.ID, i int) error {
		return q.Report(ctx, id, queue.Status{Seq: uint64(i)})
	})
	run("state", func(q *natsqueue.Queue, _ queue.ID, _ int) error { _, err := q.State(ctx); return err })
	run("append", func(q *natsqueue.Queue, _ queue.ID, _ int) error {
		return q.Append(ctx, queue.Record{ID: queue.NewID(), Data: make([]byte, 8<<10)})
	})
	run("put", func(q *natsqueue.Queue, _ queue.ID, i int) error {
		dirs := make([]queue.Dir, queue.MaxDirs)
		for n := range dirs {
			dirs[n].Path = fmt.Sprintf("home/user/some/project/%d/%d", i, n)
		}
		return q.Put(ctx, queue.Claim{}, queue.NewBundle(queue.Claim{}, queue.Round{N: 1}, dirs))
	})
	b.Run("replay", func(b *testing.B) { // of what b.N reports have left
		jobs++
		q, id := open(b), queue.NewID()
		if err := q.Join(ctx, queue.Member{ID: id}); err != nil {
			b.Fatal(err)
		}
		for i := range b.N {
			if err := q.Report(ctx, id, queue.Status{Seq: uint64(i)}); err != nil {
				b.Fatal(err)
			}
		}
		b.ResetTimer()
		if _, err := open(b).State(ctx); err != nil {
			b.Fatal(err)
		}
	})
}
