package cluster_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"psync/internal/campaign"
	"psync/internal/cluster"
	"psync/internal/engine"
	"psync/internal/plan"
	"psync/internal/queue"
	"psync/internal/queue/protocol"
	"psync/internal/queue/queuetest"
	"psync/internal/report"
)

// A mortal process dies after some operations, on files and on the queue. Nothing that it does any more has an effect.
type mortal struct {
	queue.Queue
	left          atomic.Int64 // operations
	isolatedUntil atomic.Int64 // nanoseconds; requests are lost before
}

var errDead = errors.New("the process is dead")

func (m *mortal) live() error {
	if m.left.Add(-1) < 0 {
		m.left.Store(-1)
		return errDead
	}
	return nil
}

// request is live for a request.
func (m *mortal) request() error {
	if err := m.live(); err != nil {
		return err
	}
	if time.Now().UnixNano() < m.isolatedUntil.Load() {
		return queuetest.ErrLost
	}
	return nil
}

func (m *mortal) Join(ctx context.Context, member queue.Member) error {
	if err := m.request(); err != nil {
		return err
	}
	return m.Queue.Join(ctx, member)
}

func (m *mortal) Report(ctx context.Context, id queue.ID, s queue.Status) error {
	if err := m.request(); err != nil {
		return err
	}
	return m.Queue.Report(ctx, id, s)
}

func (m *mortal) Leave(ctx context.Context, id queue.ID) error {
	if err := m.request(); err != nil {
		return err
	}
	return m.Queue.Leave(ctx, id)
}

func (m *mortal) Claim(ctx context.Context, member, request queue.ID, round int) (queue.Claim, error) {
	if err := m.request(); err != nil {
		return queue.Claim{}, err
	}
	return m.Queue.Claim(ctx, member, request, round)
}

func (m *mortal) Put(ctx context.Context, c queue.Claim, bundles ...queue.Bundle) error {
	if err := m.request(); err != nil {
		return err
	}
	return m.Queue.Put(ctx, c, bundles...)
}

func (m *mortal) Renew(ctx context.Context, c queue.Claim) error {
	if err := m.request(); err != nil {
		return err
	}
	return m.Queue.Renew(ctx, c)
}

func (m *mortal) Finish(ctx context.Context, c queue.Claim) error {
	if err := m.request(); err != nil {
		return err
	}
	return m.Queue.Finish(ctx, c)
}

func (m *mortal) GiveBack(ctx context.Context, c queue.Claim) error {
	if err := m.request(); err != nil {
		return err
	}
	return m.Queue.GiveBack(ctx, c)
}

func (m *mortal) Append(ctx context.Context, r queue.Record) error {
	if err := m.request(); err != nil {
		return err
	}
	return m.Queue.Append(ctx, r)
}

// A forgetful queue loses bundles that it has accepted.
type forgetful struct {
	queue.Queue
	forgets func() bool
	lost    atomic.Int64
}

func (f *forgetful) Put(ctx context.Context, c queue.Claim, bundles ...queue.Bundle) error {
	if c.Revision > 0 && f.forgets() {
		f.lost.Add(1)
		bundles = bundles[1:]
	}
	return f.Queue.Put(ctx, c, bundles...)
}

// A fate is what happens to the processes of a host, one after the other.
type fate uint8

const (
	lives fate = iota
	killed
	interrupted
	isolated // its requests are lost for some time
	fates
)

// maxKills is how many processes of a run may end without giving back what they have. After more, a directory that each of
// them has claimed would be abandoned.
const maxKills = 3

// TestDeaths has processes killed and interrupted at random moments, and started again, the keeper too. The network is not
// reliable, and the queue loses bundles.
func TestDeaths(t *testing.T) {
	var kills, interrupts, isolations, repeated, again, lost int
	seeds := campaign.Seeds("CLUSTER_DEATHS", 40, 1000)
	for _, seed := range seeds {
		t.Run(fmt.Sprintf("seed=%d", seed), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := rand.New(rand.NewPCG(seed, 2))
				src, dst := trees(r, 10+r.IntN(60))
				hasLinks := seed%2 == 0
				if hasLinks {
					src, dst = withLinks(r, src, "x"), withLinks(r, dst, "x")
				}
				b := newTestbed(t, src, dst, seed)
				b.set = func(j *engine.Job) {
					if j.HardLinks = hasLinks; seed%4 == 1 {
						j.Delete.Max = &plan.Limit{N: 1000}
					}
					if j.Threads = 1 + b.drawn(3); b.drawn(2) == 0 {
						j.Progress = b.progress // as the host has it that goes on with the journal
					}
				}
				b.maxDelete = &plan.Limit{N: 1000}
				forgets := seed%3 == 0
				f := &forgetful{Queue: b.queue, forgets: func() bool { return forgets && b.drawn(4) == 0 }}
				d := &deaths{testbed: b, net: queuetest.NewFaulty(f, queuetest.Rates{
					LoseRequest: 0.03, LoseAnswer: 0.03, Repeat: 0.05, Delay: 0.1, MaxDelay: time.Second,
				}, seed)}
				d.run(t, 1+r.IntN(3))
				b.wantComplete(t)
				kills, interrupts, isolations = kills+d.kills, interrupts+d.interrupts, isolations+d.isolations
				repeated += min(b.repeated, 1)
				usual := 5 // a copy, links, attributes, and two audits
				if !hasLinks {
					usual = 4 // a copy, perhaps removals, and audits
				}
				again, lost = again+min(max(b.rounds-usual, 0), 1), lost+min(int(f.lost.Load()), 1)
			})
		})
	}
	t.Logf("%d runs from seed %d on with %d processes killed, %d interrupted and %d isolated for too long; in %d runs a bundle was claimed "+
		"again, in %d one was lost, in %d something was missing", len(seeds), seeds[0], kills, interrupts, isolations, repeated, lost, again)
	if n := len(seeds); n > 10 && (kills < n/4 || interrupts < n/4 || isolations < n/10 || repeated < n/4 || lost < n/20 || again < n/10) {
		t.Error("too little happened")
	}
}

// deaths are those of the processes of a testbed.
type deaths struct {
	*testbed
	net *queuetest.Faulty

	// The mutex of the testbed guards the fields below.
	faults     int // processes that might be killed
	kills      int
	interrupts int
	isolations int // that have ended a process
}

// run runs processes on some hosts, and keepers, until the job ends.
func (d *deaths) run(t *testing.T, hosts int) {
	ctx, cancel := context.WithTimeout(t.Context(), 48*time.Hour)
	defer cancel()
	isOver := func() bool {
		s, err := d.queue.State(context.Background())
		return err != nil || s.Closed || ctx.Err() != nil
	}
	var running sync.WaitGroup
	for i := range hosts {
		running.Go(func() {
			for n := 0; !isOver(); n++ {
				what := d.fate(n)
				if err := d.life(ctx, fmt.Sprint("host", i), what); err != nil && what == lives {
					t.Errorf("host %d: %v", i, err)
				}
				time.Sleep(time.Duration(d.drawn(int(10 * time.Second))))
			}
		})
	}
	for n := 0; !isOver(); n++ {
		life, end := context.WithCancel(ctx)
		if n < 4 {
			life, end = context.WithTimeout(ctx, time.Duration(d.drawn(int(3*time.Minute))))
		}
		status, err := d.keep(life, d.net)
		if err == nil && status != 0 || err != nil && life.Err() == nil {
			t.Errorf("keeper: %d, %v", status, err)
		}
		end()
	}
	running.Wait()
	d.net.Wait()
}

// fate returns the fate of the n-th process of a host.
func (d *deaths) fate(n int) fate {
	what := fate(d.drawn(int(fates)))
	d.mu.Lock()
	defer d.mu.Unlock()
	switch {
	case n >= 4, what != interrupted && d.faults == maxKills:
		return lives
	case what != lives && what != interrupted:
		d.faults++
	}
	return what
}

// life is that of one process.
func (d *deaths) life(ctx context.Context, name string, what fate) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var ops atomic.Int64
	m := &mortal{Queue: d.net}
	m.left.Store(1 << 60)
	at := int64(1 + d.drawn(400))
	if what == killed {
		m.left.Store(at)
	}
	slow := d.slow(2 * time.Second)
	err := d.host(ctx, name, m, func() { m.left.Store(0) }, func(op, name string) error {
		if err := m.live(); err != nil {
			return err
		}
		if ops.Add(1) == at {
			switch what {
			case interrupted:
				cancel()
			case isolated:
				m.isolatedUntil.Store(time.Now().Add(time.Duration(d.drawn(int(2 * protocol.Lease)))).UnixNano())
			}
		}
		return slow(op, name)
	})
	d.mu.Lock()
	defer d.mu.Unlock()
	switch {
	case what == killed && errors.Is(err, cluster.ErrNotAlive):
		d.kills++
	case what == isolated && errors.Is(err, cluster.ErrNotAlive):
		d.isolations++
	case what == interrupted && err != nil:
		d.interrupts++
	}
	return err
}

// TestDirectoryThatEndsItsHosts has a directory that no process survives. It is abandoned, with what is below, and all else
// is copied.
func TestDirectoryThatEndsItsHosts(t *testing.T) {
	seeds := campaign.Seeds("CLUSTER_POISON", 10, 100)
	for _, seed := range seeds {
		t.Run(fmt.Sprintf("seed=%d", seed), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := rand.New(rand.NewPCG(seed, 3))
				from := randomTree(r, 10+r.IntN(40), 1)
				var dirs []string
				for path := range from {
					if strings.HasSuffix(path, "/") && path != "./" {
						dirs = append(dirs, path)
					}
				}
				slices.Sort(dirs)
				in := dirs[r.IntN(len(dirs))]
				from[in+"poison/"], from[in+"poison/f"], from[in+"poison/d/f"] = " 755", " 644 x", " 644 x"
				b := newTestbed(t, text(from), "", seed)
				d := &deaths{testbed: b}
				ctx, cancel := context.WithTimeout(t.Context(), 48*time.Hour)
				defer cancel()
				var running sync.WaitGroup
				for i := range 1 + r.IntN(3) {
					running.Go(func() {
						for d.poisoned(ctx, fmt.Sprint("host", i)) != nil && ctx.Err() == nil {
						}
					})
				}
				status, err := b.keep(ctx, b.queue)
				running.Wait()
				if status != 23 || err != nil {
					t.Errorf("keeper: %d, %v", status, err)
				}
				for line := range strings.Lines(tree(t, b.src)) {
					if !strings.Contains(line, "poison") && !strings.HasPrefix(line, in+" ") && !strings.Contains(tree(t, b.dst), line) {
						t.Errorf("the destination lacks %s", line)
					}
				}
			})
		})
	}
}

// poisoned is the life of a process that ends when it opens a directory.
func (d *deaths) poisoned(ctx context.Context, name string) error {
	m := &mortal{Queue: d.queue}
	m.left.Store(1 << 60)
	slow := d.slow(time.Second)
	return d.host(ctx, name, m, nil, func(op, name string) error {
		if op == "opendir" && name == "poison" {
			m.left.Store(0)
		}
		if err := m.live(); err != nil {
			return err
		}
		return slow(op, name)
	})
}

// TestRepeatedBundleIsCompared has a host work on what another one may have copied, but has not finished.
func TestRepeatedBundleIsCompared(t *testing.T) {
	for _, tt := range []struct {
		dies bool
		want int64 // files that are copied
	}{{false, 2}, {true, 1}} {
		synctest.Test(t, func(t *testing.T) {
			const done = "d/f 644 @2001-01-01T00:00:00Z text\n"
			b := newTestbed(t, done+"d/g 644 @2001-01-01T00:00:00Z new\n", done, 1)
			var job *engine.Job
			b.set = func(j *engine.Job) { j.Policy.Sync, j.Delete.On, job = false, false, j }
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			var running sync.WaitGroup
			running.Go(func() {
				if status, err := b.keep(ctx, b.queue); status != 0 || err != nil {
					t.Errorf("keeper: %d, %v", status, err)
				}
			})
			synctest.Wait()
			if id := queue.NewID(); tt.dies {
				if err := b.queue.Join(ctx, queue.Member{ID: id}); err != nil {
					t.Fatal(err)
				}
				if _, err := b.queue.Claim(ctx, id, queue.NewID(), 1); err != nil {
					t.Fatal(err)
				}
			}
			if err := b.host(ctx, "host", b.queue, nil, b.slow(0)); err != nil {
				t.Error(err)
			}
			running.Wait()
			if got := job.Stats.Totals()[report.FilesCopied]; got != tt.want {
				t.Errorf("after a death %v: %d files are copied, want %d", tt.dies, got, tt.want)
			}
			b.wantComplete(t)
		})
	}
}
