package protocol

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"psync/internal/campaign"
	"psync/internal/queue"
	"psync/internal/queue/memqueue"
	"psync/internal/queue/queuetest"
)

// A tree is what simulated hosts copy. It knows what was done to it, and by which process last.
type tree struct {
	t        *testing.T
	children map[string][]string
	poison   string // ends each process that walks it; "": none

	mu     sync.Mutex // guards what follows
	random *rand.Rand
	copied map[string]bool
	final  map[string]bool       // last attributes are set
	holder map[string]*simulated // that walks a directory, or sets its attributes
	failed map[string]bool       // directories that were abandoned
	counts struct{ processes, lapsed, repeated, rounds, failed int }
	ended  bool
}

// newTree returns a tree of n directories.
func newTree(t *testing.T, r *rand.Rand, n int) *tree {
	tr := &tree{
		t: t, random: r, children: map[string][]string{".": nil},
		copied: make(map[string]bool), final: make(map[string]bool), holder: make(map[string]*simulated),
		failed: make(map[string]bool),
	}
	paths := []string{"."}
	for i := range n - 1 {
		in := paths[len(paths)-1-r.IntN(min(len(paths), 8))]
		path := strings.TrimPrefix(in+"/"+fmt.Sprint(i), "./")
		tr.children[in] = append(tr.children[in], path)
		tr.children[path] = nil
		paths = append(paths, path)
	}
	return tr
}

// drawn returns a random number below n.
func (tr *tree) drawn(n int64) time.Duration {
	tr.mu.Lock()
	defer tr.mu.Unlock()
	return time.Duration(tr.random.Int64N(n))
}

// begin has a process begin to change a directory. It fails the test if another one does so.
func (tr *tree) begin(h *simulated, path string) {
	tr.mu.Lock()
	defer tr.mu.Unlock()
	if other := tr.holder[path]; other != nil && other != h && other.ctx.Err() == nil {
		tr.t.Errorf("two hosts change %s at a time", path)
	}
	if tr.ended {
		tr.t.Errorf("%s is changed after the end", path)
	}
	tr.holder[path] = h
}

// end has it end, if the process has not ended before.
func (tr *tree) end(h *simulated, path string, final bool) {
	tr.mu.Lock()
	defer tr.mu.Unlock()
	if h.ctx.Err() != nil {
		return
	}
	delete(tr.holder, path)
	tr.copied[path], tr.final[path] = true, final
}

// maxFaulty is how many processes of a run may be killed or stopped. What a process has left to the end of a phase is lost
// with it, so the job would never end if that went on.
const maxFaulty = 12

// A simulated process works on a job.
type simulated struct {
	Host
	tree     *tree
	queue    queue.Queue
	ctx      context.Context // of the process; when it is done, nothing is changed any more
	kill     context.CancelFunc
	id       queue.ID
	reports  uint64
	claims   []*simulatedClaim
	deferred []string

	mu      sync.Mutex // guards what follows
	held    map[uint64]heldClaim
	renewed time.Time   // when the last report was sent that succeeded
	stops   time.Time   // it is stopped until then
	fence   *time.Timer // ends it
}

type heldClaim struct {
	queue.Claim
	sent time.Time // the request or renewal that began its lease
}

// setFenceLocked sets the timer by the lease that lapses first.
func (h *simulated) setFenceLocked() {
	first := h.renewed
	for _, c := range h.held {
		if c.sent.Before(first) {
			first = c.sent
		}
	}
	h.fence.Reset(time.Until(Fence(first, Lease)))
}

type simulatedClaim struct {
	queue.Claim
	treatment Treatment
	stack     []queue.Dir
	unput     []queue.Bundle
	records   []queue.Record
}

// pause waits, and then as long as the process is stopped.
func (h *simulated) pause(d time.Duration) {
	for until := time.Now().Add(d); h.ctx.Err() == nil; {
		h.mu.Lock()
		if h.stops.After(until) {
			until = h.stops
		}
		h.mu.Unlock()
		if !until.After(time.Now()) {
			return
		}
		select {
		case <-h.ctx.Done():
		case <-time.After(time.Until(until)):
		}
	}
}

// again repeats a request until the answer is known.
func again(ctx context.Context, request func(ctx context.Context) error) error {
	for {
		try, cancel := context.WithTimeout(ctx, 5*time.Second)
		err := request(try)
		cancel()
		lost := errors.Is(err, queuetest.ErrLost) || errors.Is(err, context.DeadlineExceeded)
		if !lost || ctx.Err() != nil {
			return err
		}
		time.Sleep(time.Millisecond) // or no time would pass while there is no answer
	}
}

// run has the process work until it ends, or the job.
func (h *simulated) run() {
	h.fence = time.AfterFunc(time.Until(Fence(h.renewed, Lease)), func() {
		h.tree.mu.Lock()
		h.tree.counts.lapsed++
		h.tree.mu.Unlock()
		h.kill()
	})
	defer h.fence.Stop()
	defer h.kill()
	h.id = queue.NewID()
	if again(h.ctx, func(ctx context.Context) error { return h.queue.Join(ctx, queue.Member{ID: h.id}) }) != nil {
		return
	}
	changes, err := h.queue.Watch(h.ctx, queue.Work)
	if err != nil {
		return
	}
	var renewals sync.WaitGroup
	defer renewals.Wait()
	defer h.kill()
	renewals.Go(func() { h.renew(h.renewed) })
	for h.ctx.Err() == nil {
		var s queue.State
		if again(h.ctx, func(ctx context.Context) (err error) { s, err = h.queue.State(ctx); return err }) != nil {
			return
		}
		h.pause(0)
		worked := h.work(s)
		if !h.step(s) || worked {
			continue
		}
		lapse := time.Hour
		if s.Held > 0 {
			lapse = max(s.Lapse, 0) + time.Millisecond
		}
		select {
		case <-changes:
		case <-time.After(lapse):
		case <-h.ctx.Done():
		}
	}
}

// renew renews the leases of the process until one is lost.
func (h *simulated) renew(sent time.Time) {
	for h.ctx.Err() == nil {
		h.pause(time.Until(RenewAt(sent, Lease)))
		now := time.Now()
		h.mu.Lock()
		held := maps.Clone(h.held)
		h.mu.Unlock()
		try, cancel := context.WithTimeout(h.ctx, 5*time.Second)
		var renewals sync.WaitGroup
		var failures atomic.Int32
		renewals.Go(func() {
			if !h.isRenewed(h.report(try), func() { h.renewed = now }) {
				failures.Add(1)
			}
		})
		for revision, c := range held {
			renewals.Go(func() {
				err := h.queue.Renew(try, c.Claim)
				h.mu.Lock()
				_, is := h.held[revision]
				h.mu.Unlock()
				if is && !h.isRenewed(err, func() {
					if _, is := h.held[revision]; is {
						h.held[revision] = heldClaim{c.Claim, now}
					}
				}) {
					failures.Add(1)
				}
			})
		}
		renewals.Wait()
		cancel()
		if failures.Load() == 0 {
			sent = now
		}
		h.mu.Lock()
		h.setFenceLocked()
		h.mu.Unlock()
	}
}

// isRenewed has the process look at the answer to a renewal.
func (h *simulated) isRenewed(err error, record func()) bool {
	h.pause(0) // it may be stopped before
	if errors.Is(err, queue.ErrTaken) || errors.Is(err, queue.ErrUnknown) || errors.Is(err, queue.ErrClosed) ||
		errors.Is(err, queue.ErrLost) {
		h.kill()
	}
	if err != nil {
		return false
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	record()
	return true
}

// report renews the membership.
func (h *simulated) report(ctx context.Context) error {
	h.mu.Lock()
	h.reports++
	s := queue.Status{Seq: h.reports, Hungry: h.Idle, Finished: h.Finished}
	h.mu.Unlock()
	return h.queue.Report(ctx, h.id, s)
}

// step makes the next step, apart from work on claims. It reports whether there is none.
func (h *simulated) step(s queue.State) (waits bool) {
	h.mu.Lock()
	h.Claims, h.Alone, h.Idle = len(h.claims), false, true
	for _, c := range h.claims {
		h.Alone = h.Alone || c.treatment == Alone || c.treatment == GiveBack
		h.Idle = h.Idle && len(c.stack) < 2
	}
	h.Deferred = s.Round.Phase == queue.Last && len(h.deferred) > 0
	next := h.Next(s)
	h.mu.Unlock()
	switch next {
	case Enter:
		h.mu.Lock()
		h.Round = s.Round.N
		h.mu.Unlock()
	case Claim:
		h.claim()
	case EndPhase:
		h.setAttributes(s.Round.N)
	case Report:
		h.mu.Lock()
		before := h.Finished
		h.Finished = h.Round
		h.mu.Unlock()
		if again(h.ctx, h.report) != nil {
			h.mu.Lock()
			h.Finished = before
			h.mu.Unlock()
		}
	case Die, End:
		h.kill()
	case Return, Leave, Wait:
		return true
	}
	return false
}

func (h *simulated) claim() {
	sent, request := time.Now(), queue.NewID()
	var c queue.Claim
	err := again(h.ctx, func(ctx context.Context) (err error) {
		c, err = h.queue.Claim(ctx, h.id, request, h.Round)
		return err
	})
	h.pause(0)
	if err != nil || !time.Now().Before(Fence(sent, Lease)) {
		return // if there is a bundle, others get it when the lease lapses
	}
	claim := &simulatedClaim{Claim: c, treatment: Treat(c, len(h.claims))}
	own := slices.DeleteFunc(slices.Clone(c.Bundle.Dirs), func(d queue.Dir) bool { return slices.Contains(c.Left, d) })
	switch claim.treatment {
	case Split:
		claim.unput = Parts(c, own)
	case Abandon:
		path := c.Bundle.Dirs[0].Path
		claim.records = []queue.Record{h.record("failed " + path)}
		h.tree.mu.Lock()
		h.tree.failed[path] = true
		h.tree.mu.Unlock()
	case GiveBack:
		_ = again(h.ctx, func(ctx context.Context) error { return h.queue.GiveBack(ctx, c) })
		h.claims[0].treatment = GiveBack
		return
	case Share, Alone:
		claim.stack = own
	}
	h.mu.Lock()
	h.held[c.Revision] = heldClaim{c, sent}
	h.setFenceLocked()
	h.mu.Unlock()
	h.claims = append(h.claims, claim)
	if c.Attempt > 1 {
		h.tree.mu.Lock()
		h.tree.counts.repeated++
		h.tree.mu.Unlock()
	}
}

func (h *simulated) record(text string) queue.Record {
	return queue.Record{ID: queue.NewID(), Round: h.Round, Data: []byte(text)}
}

// work makes a step for each claim. It reports whether there were any.
func (h *simulated) work(s queue.State) bool {
	for _, c := range slices.Clone(h.claims) {
		var err error
		w := Work{len(c.unput) > 0, len(c.records) > 0, len(c.stack) > 0}
		if n := ToPut(len(c.stack), s); n > 0 && !w.Unput && c.treatment != Alone {
			c.unput = []queue.Bundle{queue.NewBundle(c.Claim, s.Round, slices.Clone(c.stack[:n]))}
			c.stack = c.stack[n:]
			s.Waiting++
			w = Work{Unput: true}
		}
		switch w.Next() {
		case Put:
			if err = again(h.ctx, func(ctx context.Context) error { return h.queue.Put(ctx, c.Claim, c.unput...) }); err == nil {
				c.unput = nil
			}
		case Append:
			for err == nil && len(c.records) > 0 {
				err = again(h.ctx, func(ctx context.Context) error { return h.queue.Append(ctx, c.records[0]) })
				c.records = c.records[1:]
			}
		case Walk:
			h.walk(c)
		case Finish:
			h.mu.Lock() // no more renewals
			delete(h.held, c.Revision)
			h.mu.Unlock()
			h.claims = slices.DeleteFunc(h.claims, func(o *simulatedClaim) bool { return o == c })
			err = again(h.ctx, func(ctx context.Context) error { return h.queue.Finish(ctx, c.Claim) })
			if errors.Is(err, queue.ErrTaken) {
				err = nil
			}
		}
		if err != nil {
			h.kill()
		}
	}
	return len(h.claims) > 0
}

// walk walks the newest directory of a claim.
func (h *simulated) walk(c *simulatedClaim) {
	last := len(c.stack) - 1
	path := c.stack[last].Path
	c.stack = c.stack[:last]
	h.tree.begin(h, path)
	if path == h.tree.poison {
		h.pause(time.Second)
		h.kill()
		return
	}
	h.pause(h.tree.drawn(int64(4 * time.Second)))
	h.tree.end(h, path, false)
	var found []queue.Dir
	for _, child := range h.tree.children[path] {
		if d := (queue.Dir{Path: child}); !slices.Contains(c.Left, d) && !slices.Contains(c.Bundle.Dirs, d) {
			found = append(found, d)
		}
	}
	if c.treatment == Alone {
		c.unput = Parts(c.Claim, found)
	} else {
		c.stack = append(c.stack, found...)
	}
	h.deferred = append(h.deferred, path)
	repeated := ""
	if c.Attempt > 1 || c.Restarted || h.Round > 1 {
		repeated = "repeated "
	}
	c.records = append(c.records, h.record("walked "+repeated+path+" "+strings.Join(h.tree.children[path], " ")))
}

// setAttributes sets the last attributes of the directories that the process has walked.
func (h *simulated) setAttributes(round int) {
	for _, path := range h.deferred {
		h.tree.begin(h, path)
		h.pause(h.tree.drawn(int64(time.Second)))
		h.tree.end(h, path, true)
		r := h.record("final " + path)
		if h.ctx.Err() != nil || again(h.ctx, func(ctx context.Context) error { return h.queue.Append(ctx, r) }) != nil {
			h.kill()
			return
		}
	}
	h.deferred = nil
}

// keep has a keeper decide until ctx ends, or the job. It begins with an empty journal.
func (tr *tree) keep(ctx context.Context, q queue.Queue) {
	changes, _ := q.Watch(ctx, queue.Work)
	var p Proof
	walked, failed := make(map[string]*int), make(map[string]bool)
	children := make(map[string][]string)
	for ctx.Err() == nil {
		var s queue.State
		if again(ctx, func(ctx context.Context) (err error) { s, err = q.State(ctx); return err }) != nil || s.Closed {
			return
		}
		p.Needs, p.Missing, p.Abandoned = [queue.Audit]bool{queue.Last: true}, nil, nil
		p.Failed = len(failed) > 0
		for path := range failed {
			p.Abandoned = append(p.Abandoned, queue.Dir{Path: path})
		}
		for todo := []string{"."}; len(todo) > 0; {
			path := todo[0]
			todo = append(todo[1:], children[path]...)
			if n := walked[path]; !failed[path] && (n == nil || *n > 0) {
				p.Missing = append(p.Missing, queue.Dir{Path: path})
			}
		}
		step := Next(s, p, Lease)
		var err error
		switch {
		case step.Read:
			var records []queue.Record
			err = again(ctx, func(ctx context.Context) (err error) { records, err = q.Records(ctx, p.Read); return err })
			for _, r := range records {
				p.Read = r.Offset
				words := strings.Fields(string(r.Data))
				if len(words) > 1 && words[1] == "repeated" {
					delete(walked, words[2])
					words = slices.Delete(words, 1, 2)
				}
				n := walked[words[1]]
				if n == nil {
					n = new(int)
				}
				switch words[0] {
				case "walked":
					*n++
					walked[words[1]], children[words[1]] = n, words[2:]
				case "final":
					*n = max(*n-1, 0)
				case "failed":
					failed[words[1]] = true
				}
			}
		case step.Close:
			err = again(ctx, func(ctx context.Context) error { return q.Close(ctx, step.Status) })
		case step.Begin.N > 0:
			for _, seed := range step.Seeds {
				err = errors.Join(err, again(ctx, func(ctx context.Context) error { return q.Put(ctx, queue.Claim{}, seed) }))
			}
			if err == nil {
				err = again(ctx, func(ctx context.Context) error { return q.Begin(ctx, step.Begin) })
			}
		default:
			select {
			case <-changes:
			case <-time.After(Lease / 4):
			case <-ctx.Done():
			}
		}
		if err != nil && ctx.Err() == nil && !errors.Is(err, queue.ErrRound) && !errors.Is(err, queue.ErrLost) {
			tr.t.Errorf("keeper: %v", err)
			return
		}
	}
}

// A forgetful queue says that it has bundles that it has not.
type forgetful struct {
	queue.Queue
	forgets func() bool
}

func (f forgetful) Put(ctx context.Context, c queue.Claim, bundles ...queue.Bundle) error {
	if f.forgets() {
		bundles = bundles[1:]
	}
	return f.Queue.Put(ctx, c, bundles...)
}

// TestSimulation has hosts copy trees by an unreliable queue. They are killed and stopped, for less and for more than a
// lease, the keeper too; some trees have a directory that ends each host that walks it.
func TestSimulation(t *testing.T) {
	var processes, lapsed, repeated, rounds, failed int
	seeds := campaign.Seeds("HOSTS", 20, 500)
	for _, seed := range seeds {
		t.Run(fmt.Sprintf("seed=%d", seed), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				q := memqueue.New(Lease, time.Now)
				tr := simulate(t, seed, func() queue.Queue { return q })
				tr.mu.Lock() // a fence may be at work that comes too late for its process
				defer tr.mu.Unlock()
				c := tr.counts
				processes, lapsed, repeated = processes+c.processes, lapsed+min(c.lapsed, 1), repeated+min(c.repeated, 1)
				rounds, failed = rounds+min(c.rounds-3, 1), failed+min(c.failed, 1)
			})
		})
	}
	t.Logf("%d runs with %d processes; in %d a lease lapsed, in %d a bundle was claimed again, in %d something was missing, "+
		"in %d a directory was abandoned", len(seeds), processes, lapsed, repeated, rounds, failed)
	// What happens depends on the order in which goroutines run; in few runs it may be little.
	n := len(seeds)
	if n >= 100 && (lapsed < n/4 || repeated < n/2 || rounds < n/10 || failed < n/20) || n > 10 && (lapsed == 0 || repeated == 0) {
		t.Error("too little happened")
	}
}

// simulate has hosts copy a tree. Each process opens the queue.
func simulate(t *testing.T, seed uint64, open func() queue.Queue) *tree {
	r := rand.New(rand.NewPCG(seed, 5))
	tr := newTree(t, r, 1+r.IntN(60))
	if r.IntN(4) == 0 {
		paths := slices.Sorted(maps.Keys(tr.children))
		tr.poison = paths[r.IntN(len(paths))]
	}
	q := open()
	_, isLossy := q.(observer) // that loses nothing without its processes finding out
	forgets := r.IntN(3) == 0 && !isLossy
	var running sync.WaitGroup
	var nets []*queuetest.Faulty // their late requests outlive processes
	connect := func() queue.Queue {
		net := queuetest.NewFaulty(forgetful{open(), func() bool { return forgets && tr.drawn(20) == 0 }}, queuetest.Rates{
			LoseRequest: 0.05, LoseAnswer: 0.05, Repeat: 0.1, Delay: 0.2, MaxDelay: 20 * time.Second,
		}, uint64(tr.drawn(1<<62)))
		tr.mu.Lock()
		defer tr.mu.Unlock()
		nets = append(nets, net)
		return net
	}
	ctx, cancel := context.WithTimeout(t.Context(), 48*time.Hour)
	defer cancel()
	for range 1 + r.IntN(4) {
		running.Go(func() {
			for ctx.Err() == nil {
				if s, _ := q.State(ctx); s.Closed {
					return
				}
				tr.life(ctx, connect())
			}
		})
	}
	running.Go(func() {
		for ctx.Err() == nil {
			if s, _ := q.State(ctx); s.Closed {
				return
			}
			life, end := context.WithTimeout(ctx, tr.drawn(int64(20*time.Minute)))
			tr.keep(life, connect())
			end()
		}
	})
	running.Wait()
	for _, net := range nets {
		net.Wait()
	}
	s, err := q.State(t.Context())
	tr.counts.rounds = s.Round.N
	want := 0
	if len(tr.failed) > 0 {
		want = statusFailed
	}
	if err != nil || !s.Closed || s.Status != want {
		t.Fatalf("abandoned: %v; state %+v, %v", tr.failed, s, err)
	}
	tr.counts.failed = len(tr.failed)
	for path := range tr.children {
		isBelow := func(above string) bool { return queue.Dir{Path: above}.Contains(queue.Dir{Path: path}) }
		isFailed := slices.ContainsFunc(slices.Collect(maps.Keys(tr.failed)), isBelow)
		if !isFailed && (!tr.copied[path] || !tr.final[path]) {
			t.Errorf("%s: copied %v, final %v; poison is %q", path, tr.copied[path], tr.final[path], tr.poison)
		}
	}
	return tr
}

// life is that of one process: until it ends, is killed, or loses a lease.
func (tr *tree) life(ctx context.Context, q queue.Queue) {
	h := &simulated{tree: tr, queue: q, held: make(map[uint64]heldClaim), renewed: time.Now()}
	h.ctx, h.kill = context.WithCancel(ctx)
	tr.mu.Lock()
	tr.counts.processes++
	fault := -1
	if tr.counts.processes <= maxFaulty {
		fault = tr.random.IntN(4)
	}
	tr.mu.Unlock()
	switch fault {
	case 0:
		kill := time.AfterFunc(tr.drawn(int64(5*time.Minute)), h.kill)
		defer kill.Stop()
	case 1:
		stop := time.AfterFunc(tr.drawn(int64(3*time.Minute)), func() {
			h.mu.Lock()
			defer h.mu.Unlock()
			h.stops = time.Now().Add(tr.drawn(int64(2 * Lease)))
		})
		defer stop.Stop()
	}
	h.run()
	time.Sleep(tr.drawn(int64(10 * time.Second)))
}
