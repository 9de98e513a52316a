package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"golang.org/x/sys/unix"

	"psync/internal/campaign"
	"psync/internal/queue"
	"psync/internal/queue/address"
	"psync/internal/queue/natsqueue"
)

// TestRandomDeaths has three movers work on a job while some of them, the one with the journal, and the server die, or stand
// still, at random. SHAREDKILLS says how many jobs there are. Deaths that come when a job has ended prove nothing, so they are
// counted.
func TestRandomDeaths(t *testing.T) {
	var inTime atomic.Int64 // cases go on at a time
	seeds := campaign.Seeds("SHAREDKILLS", 0, 8)
	t.Cleanup(func() { // when all of them have ended
		if len(seeds) > 4 && inTime.Load() == 0 {
			t.Error("no death came in time")
		}
		t.Logf("%d deaths in time in %d jobs", inTime.Load(), len(seeds))
	})
	for _, seed := range seeds {
		t.Run(fmt.Sprintf("seed=%d", seed), func(t *testing.T) {
			r := rand.New(rand.NewPCG(seed, 3))
			b := newSeededBed(t, 200+r.IntN(300), seed)
			d := deaths{bed: b, keeper: b.keeper(), others: []*process{b.mover(), b.mover()}}
			for range 1 + r.IntN(3) {
				b.awaitChanges(1 + r.IntN(30))
				if b.state().Closed {
					break
				}
				inTime.Add(1)
				d.one(r.IntN(5), r)
			}
			b.wantComplete(append(d.others, d.keeper)...)
		})
	}
}

// TestServerLosesTheEnd has the server be killed, and go on without what came after some moment. LOSTENDS says how many jobs
// there are.
func TestServerLosesTheEnd(t *testing.T) {
	for _, seed := range campaign.Seeds("LOSTENDS", 3, 20) {
		t.Run(fmt.Sprintf("seed=%d", seed), func(t *testing.T) {
			r := rand.New(rand.NewPCG(seed, 4))
			b := newSeededBed(t, 200+r.IntN(300), seed)
			movers := []*process{b.keeper(), b.mover(), b.mover()}
			b.awaitChanges(r.IntN(20))
			saved := filepath.Join(t.TempDir(), "saved")
			b.copyJobs(b.server.dir, saved)
			b.awaitChanges(1 + r.IntN(20))
			b.copyJobs(saved, b.server.dir)
			b.wantComplete(movers...)
		})
	}
}

// copyJobs has the server be killed, its directory, or one that is to be its, be copied, and the server be started again.
func (b *bed) copyJobs(from, to string) {
	b.Helper()
	b.server.kill()
	if err := os.RemoveAll(to); err != nil {
		b.Fatal(err)
	}
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		b.Fatal(err)
	}
	b.server.start()
}

// TestJobIsRemoved has an administrator remove a job on which hosts work, or a part of it. They end with a sentence, and not as
// if all were done.
func TestJobIsRemoved(t *testing.T) {
	for _, tt := range []struct {
		name   string
		remove func(b *bed)
		want   string
	}{
		{"on the disk", func(b *bed) {
			b.server.kill()
			if err := os.RemoveAll(filepath.Join(b.server.dir, "jetstream")); err != nil {
				b.Fatal(err)
			}
			b.server.start()
		}, "the server does not have the job any more"},
		{"the stream", func(b *bed) {
			b.administer(func(js jetstream.JetStream, s jetstream.Stream) error {
				return js.DeleteStream(b.Context(), s.CachedInfo().Config.Name)
			})
		}, "the server does not have the job any more"},
		{"messages", func(b *bed) {
			b.administer(func(js jetstream.JetStream, s jetstream.Stream) error {
				c := s.CachedInfo().Config
				c.MaxMsgs = 5
				_, err := js.UpdateStream(b.Context(), c)
				return err
			})
		}, "messages of the stream were removed"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := newBed(t, 300)
			movers := []*process{b.keeper(), b.mover()}
			b.awaitWork(2)
			tt.remove(b)
			for _, p := range movers {
				if status := p.exit(); status == 0 || !strings.Contains(p.said(), tt.want) {
					t.Errorf("exit status %d: %s", status, p.said())
				}
			}
		})
	}
}

// administer changes the stream of the job while hosts work.
func (b *bed) administer(change func(jetstream.JetStream, jetstream.Stream) error) {
	b.Helper()
	conn, err := nats.Connect("nats://" + b.addr)
	if err != nil {
		b.Fatal(err)
	}
	defer conn.Close()
	js, err := jetstream.New(conn)
	if err != nil {
		b.Fatal(err)
	}
	s, err := js.Stream(b.Context(), "psync-home")
	if err == nil {
		err = change(js, s)
	}
	if err != nil {
		b.Fatal(err)
	}
}

// deaths are those of one job.
type deaths struct {
	*bed
	keeper *process
	others []*process
}

// one has one of the processes die, and be started again where someone would do that.
func (d *deaths) one(which int, r *rand.Rand) {
	i := r.IntN(len(d.others))
	switch p := d.others[i]; which {
	case 0:
		d.Log("a mover is killed")
		p.kill()
		d.awaitJoin(func() { d.others[i] = d.mover() })
	case 1:
		d.Log("what works for a mover is killed")
		p.signalWorker(syscall.SIGKILL)
	case 2:
		d.Log("the host with the journal is killed")
		d.keeper.kill()
		d.awaitJoin(func() { d.keeper = d.bed.keeper("--resume") })
	case 3:
		d.Log("the server is killed")
		d.server.kill()
		d.server.start()
	default:
		d.Log("a mover stands still, until its fence kills it")
		if pid := p.worker(); pid > 0 {
			_ = syscall.Kill(pid, syscall.SIGSTOP)
			awaitEnd(pid)
			_ = syscall.Kill(pid, syscall.SIGCONT) // unless it had no lease, as while it looks for its job
		}
	}
}

// awaitEnd waits for two leases, or until a process has ended.
func awaitEnd(pid int) {
	fd, err := unix.PidfdOpen(pid, 0)
	if err != nil {
		return // it has
	}
	defer unix.Close(fd)
	for {
		if n, err := unix.Poll([]unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}, int(2*shortLease.Milliseconds())); n > 0 || err != unix.EINTR {
			return
		}
	}
}

// follow returns the job as a process sees it that does not work on it.
func (b *bed) follow() (*natsqueue.Queue, func()) {
	b.Helper()
	a, err := address.Parse(strings.TrimPrefix(b.queue("home"), "--queue="))
	if err != nil {
		b.Fatal(err)
	}
	conn, err := natsqueue.Dial(a, address.Security{})
	if err != nil {
		b.Fatal(err)
	}
	// The stream is made by the first one that needs it.
	q, err := natsqueue.Open(b.Context(), conn, natsqueue.Options{Job: a.Job, Create: true, Lease: shortLease})
	if err != nil {
		b.Fatal(err)
	}
	return q, conn.Close
}

// awaitChanges waits until the job has begun, and then for n changes of it, or its end.
func (b *bed) awaitChanges(n int) {
	b.Helper()
	b.await(func(s queue.State) bool {
		if s.Round.N > 0 {
			n--
		}
		return n < 0
	})
}

// awaitJoin waits until a process that begin starts has joined the job, or the job has ended. Without a server, it would not wait
// for one.
func (b *bed) awaitJoin(begin func()) {
	b.Helper()
	known := make(map[queue.ID]bool)
	for _, m := range b.state().Members {
		known[m.ID] = true
	}
	begin()
	isNew := func(m queue.Member) bool { return !known[m.ID] }
	b.await(func(s queue.State) bool { return slices.ContainsFunc(s.Members, isNew) })
}

// state returns the present state of the job.
func (b *bed) state() queue.State {
	b.Helper()
	q, end := b.follow()
	defer end()
	s, err := q.State(b.Context())
	if err != nil {
		b.Fatal(err)
	}
	return s
}
