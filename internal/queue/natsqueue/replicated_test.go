package natsqueue_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"

	"psync/internal/campaign"
	"psync/internal/queue"
	"psync/internal/queue/natsqueue"
)

// replicated starts three servers that keep every job together, and returns when they have a leader.
func replicated(t *testing.T) []*server.Server {
	t.Helper()
	dir := t.TempDir()
	var servers []*server.Server
	var routes []*url.URL
	var ports []int
	for range 3 {
		l, err := net.Listen("tcp", "127.0.0.1:0") // an election needs to know all
		if err != nil {
			t.Fatal(err)
		}
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
		ports = append(ports, l.Addr().(*net.TCPAddr).Port)
		routes = append(routes, &url.URL{Scheme: "nats", Host: l.Addr().String()})
	}
	for i := range 3 {
		s, err := server.NewServer(&server.Options{
			ServerName: fmt.Sprint("s", i), Host: "127.0.0.1", Port: server.RANDOM_PORT, NoSigs: true, NoLog: true,
			JetStream: true, StoreDir: filepath.Join(dir, fmt.Sprint(i)), SyncAlways: true,
			Cluster: server.ClusterOpts{Name: "psync", Host: "127.0.0.1", Port: ports[i]}, Routes: routes,
		})
		if err != nil {
			t.Fatal(err)
		}
		s.Start()
		t.Cleanup(func() {
			s.Shutdown()
			s.WaitForShutdown()
		})
		servers = append(servers, s)
	}
	for leader := func(s *server.Server) bool { return s.JetStreamIsLeader() }; !slices.ContainsFunc(servers, leader); {
		time.Sleep(10 * time.Millisecond)
	}
	return servers
}

// again repeats a request until its answer is known.
func again(ctx context.Context, request func(context.Context) error) error {
	for {
		try, cancel := context.WithTimeout(ctx, 5*time.Second)
		err := request(try)
		cancel()
		for _, answer := range []error{nil, queue.ErrTaken, queue.ErrEmpty, queue.ErrRound, queue.ErrClosed, queue.ErrUnknown, queue.ErrLost} {
			if errors.Is(err, answer) {
				return err
			}
		}
		if ctx.Err() != nil {
			return err
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// TestThreeServers has a job go on when the server that leads it ends, in the middle, with what it has acknowledged.
func TestThreeServers(t *testing.T) {
	if !campaign.Thorough() {
		t.Skip("elections take seconds")
	}
	servers := replicated(t)
	ctx := t.Context()
	var urls []string
	for _, s := range servers {
		urls = append(urls, s.ClientURL())
	}
	var hosts []*natsqueue.Queue
	for i := range 3 {
		conn, err := nats.Connect(urls[i], nats.MaxReconnects(-1), nats.ReconnectWait(100*time.Millisecond), func(o *nats.Options) error {
			o.Servers = urls
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(conn.Close)
		var q *natsqueue.Queue
		if err := again(ctx, func(ctx context.Context) (err error) {
			q, err = natsqueue.Open(t.Context(), conn, natsqueue.Options{Job: "job", Create: true, Lease: time.Hour, Replicas: 3})
			return err
		}); err != nil {
			t.Fatal(err)
		}
		hosts = append(hosts, q)
	}
	const bundles = 100
	r := queue.Round{N: 1}
	for i := range bundles {
		b := queue.NewBundle(queue.Claim{}, r, []queue.Dir{{Path: fmt.Sprint(i)}})
		if err := again(ctx, func(ctx context.Context) error { return hosts[0].Put(ctx, queue.Claim{}, b) }); err != nil {
			t.Fatal(err)
		}
	}
	if err := again(ctx, func(ctx context.Context) error { return hosts[0].Begin(ctx, r) }); err != nil {
		t.Fatal(err)
	}
	var finished atomic.Int32
	var running sync.WaitGroup
	for _, q := range hosts {
		running.Go(func() {
			if err := work(ctx, q, &finished); err != nil {
				t.Error(err)
			}
		})
	}
	running.Go(func() {
		for finished.Load() < bundles/2 {
			time.Sleep(time.Millisecond)
		}
		leads := func(s *server.Server) bool { return s.JetStreamIsStreamLeader("$G", "psync-job") }
		if i := slices.IndexFunc(servers, leads); i >= 0 {
			servers[i].Shutdown()
		} else {
			t.Error("no server leads the stream")
		}
	})
	running.Wait()
	checkWhole(t, hosts, 2*bundles)
}

// work finishes bundles until none is left. Those of the first generation lead to another one.
func work(ctx context.Context, q queue.Queue, finished *atomic.Int32) error {
	id := queue.NewID()
	if err := again(ctx, func(ctx context.Context) error { return q.Join(ctx, queue.Member{ID: id}) }); err != nil {
		return err
	}
	for {
		var c queue.Claim
		request := queue.NewID()
		err := again(ctx, func(ctx context.Context) (err error) { c, err = q.Claim(ctx, id, request, 1); return err })
		if errors.Is(err, queue.ErrEmpty) {
			var s queue.State
			err := again(ctx, func(ctx context.Context) (err error) { s, err = q.State(ctx); return err })
			if err != nil || s.Drained() {
				return err
			}
			continue
		}
		if err != nil {
			return err
		}
		path := c.Bundle.Dirs[0].Path
		record := queue.Record{ID: queue.NewID(), Round: 1, Data: []byte(path)}
		err = again(ctx, func(ctx context.Context) error { return q.Append(ctx, record) })
		if len(path) < 3 {
			child := queue.NewBundle(c, c.Bundle.Round, []queue.Dir{{Path: path + "/a"}})
			err = errors.Join(err, again(ctx, func(ctx context.Context) error { return q.Put(ctx, c, child) }))
		}
		if done := again(ctx, func(ctx context.Context) error { return q.Finish(ctx, c) }); !errors.Is(done, queue.ErrTaken) {
			err = errors.Join(err, done)
		}
		if err != nil {
			return err
		}
		finished.Add(1)
	}
}

// checkWhole wants every process to see one record of each bundle.
func checkWhole(t *testing.T, hosts []*natsqueue.Queue, want int) {
	t.Helper()
	for _, q := range hosts {
		seen := make(map[string]bool)
		for after := uint64(0); ; {
			var records []queue.Record
			if err := again(t.Context(), func(ctx context.Context) (err error) { records, err = q.Records(ctx, after); return err }); err != nil {
				t.Fatal(err)
			}
			if len(records) == 0 {
				break
			}
			for _, r := range records {
				if seen[string(r.Data)] {
					t.Errorf("%s has two records", r.Data)
				}
				seen[string(r.Data)], after = true, r.Offset
			}
		}
		if len(seen) != want {
			t.Errorf("%d records, want %d", len(seen), want)
		}
	}
}
