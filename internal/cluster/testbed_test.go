package cluster_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"psync/internal/cluster"
	"psync/internal/engine"
	"psync/internal/engine/source"
	"psync/internal/journal"
	"psync/internal/metadata"
	"psync/internal/plan"
	"psync/internal/queue"
	"psync/internal/queue/memqueue"
	"psync/internal/queue/protocol"
	"psync/internal/report"
	"psync/internal/tempname"
	"psync/internal/vfs"
	"psync/internal/vfs/faultfs"
	"psync/internal/vfs/fstest"
	"psync/internal/vfs/memfs"
)

// A testbed has a job that several hosts share.
type testbed struct {
	src, dst *memfs.FS
	queue    queue.Queue
	sources  int
	set      func(*engine.Job) // options of the job
	name     string            // of the journal
	drawn    func(n int) int   // a random number below n

	maxDelete *plan.Limit
	status    int // of the job, if nothing fails

	mu       sync.Mutex // guards what follows
	hosts    uint32     // that there have been
	roots    []vfs.Dir
	failures []string
	progress *journal.Progress // what the journal proved when a keeper was last started; nil: nothing
	claims   map[string]int    // by host
	repeated int               // claims
	rounds   int
	tooMany  error
}

func newTestbed(t testing.TB, src, dst string, seed uint64) *testbed {
	t.Helper()
	var mu sync.Mutex
	r := rand.New(rand.NewPCG(seed, 10))
	b := &testbed{
		src: memfs.New(), dst: memfs.New(), sources: 1, name: filepath.Join(t.TempDir(), "journal"), set: func(*engine.Job) {},
		claims: make(map[string]int),
		drawn: func(n int) int {
			mu.Lock()
			defer mu.Unlock()
			return r.IntN(n)
		},
	}
	b.queue = memqueue.New(protocol.Lease, time.Now)
	fill(t, b.src, src)
	fill(t, b.dst, dst)
	return b
}

func fill(t testing.TB, m *memfs.FS, text string) {
	t.Helper()
	root := m.Root()
	defer root.Close()
	fstest.Fill(t, root, text)
}

// job returns the job as one of the hosts has it, which calls before ahead of each operation.
func (b *testbed) job(before func(op, name string) error) engine.Job {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.hosts++
	host := b.hosts
	from, to := faultfs.New(b.src.Root(), before), faultfs.New(b.dst.Root(), before)
	b.roots = append(b.roots, from, to)
	j := engine.Job{
		Options:   engine.Options{Threads: 2, Keep: metadata.Keep{Modes: true, Perms: true, Mtime: true}},
		Sources:   []source.Tree{{Dir: from, Label: "SRC"}},
		Dest:      to,
		DestLabel: "DST",
		Stats:     new(report.Stats),
		Sink:      sink{b, before},
		Process: func() tempname.Process {
			return tempname.Process{Host: host, Boot: 1, PID: 1} // each host can ask for its own processes only
		},
	}
	j.Policy.Sync, j.Policy.Specials, j.Delete.On = true, true, true
	b.set(&j)
	return j
}

// closeAll closes the roots of the jobs.
func (b *testbed) closeAll() {
	for _, d := range b.roots {
		d.Close()
	}
	b.roots = nil
}

// A sink notes the failures of a host, unless it is dead.
type sink struct {
	*testbed
	before func(op, name string) error
}

func (b sink) Event(e report.Event) {
	if (e.Kind == report.Fail || e.Kind == report.Vanish) && b.before("event", "") == nil {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.failures = append(b.failures, fmt.Sprint(e.Path(), ": ", e.Err))
	}
}

// A counter counts the claims of a host.
type counter struct {
	queue.Queue
	name string
	of   *testbed
}

func (q *counter) Claim(ctx context.Context, member, request queue.ID, round int) (queue.Claim, error) {
	c, err := q.Queue.Claim(ctx, member, request, round)
	if err == nil {
		q.of.mu.Lock()
		defer q.of.mu.Unlock()
		q.of.claims[q.name]++
		if c.Attempt > 1 {
			q.of.repeated++
		}
	}
	return c, err
}

// host runs a host until the job ends, and returns its error. q is the queue as it sees it.
func (b *testbed) host(ctx context.Context, name string, q queue.Queue, kill func(), before func(op, name string) error) error {
	j := b.job(before)
	h := &cluster.Host{Queue: &counter{q, name, b}, Member: queue.Member{Name: name}, Kill: kill}
	return h.Run(ctx, j)
}

// slow returns a function that has listings take time.
func (b *testbed) slow(most time.Duration) func(op, name string) error {
	return func(op, _ string) error {
		if op == "readdir" && most > 0 {
			time.Sleep(time.Duration(b.drawn(int(most))))
		}
		return nil
	}
}

// keep runs a keeper, and returns the exit status of the job.
func (b *testbed) keep(ctx context.Context, q queue.Queue) (int, error) {
	w, progress, _, err := journal.Resume(os.OpenFile, b.name, journal.Job{Roots: slices.Repeat([]string{"/src"}, b.sources)}, journal.Session{}, false)
	if err != nil {
		return 0, err
	}
	b.mu.Lock()
	b.progress = progress
	b.mu.Unlock()
	k := &cluster.Keeper{Queue: q, Name: b.name, Journal: w, MaxDelete: b.maxDelete}
	status, err := k.Run(ctx)
	b.tooMany = k.TooMany
	if p := k.Progress(); err == nil && (p.Found == 0 || p.Found != p.Done+p.Failed+p.Missing) {
		err = fmt.Errorf("in the end, the progress is %+v", p)
	}
	return status, errors.Join(err, w.Close(journal.End{Status: status}))
}

// wantComplete fails the test unless the job has ended, the journal is complete, and the trees are equal.
func (b *testbed) wantComplete(t *testing.T) {
	t.Helper()
	s, err := b.queue.State(context.Background())
	if err != nil || !s.Closed || s.Status != 0 || len(b.failures) > 0 {
		t.Errorf("state %+v, %v; failures: %q", s, err, b.failures)
	}
	b.rounds = s.Round.N
	b.wantProof(t)
	b.wantEqual(t)
}

// wantProof fails the test unless the journal is complete.
func (b *testbed) wantProof(t *testing.T) {
	t.Helper()
	f, err := journal.Read(b.name, "")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if a, err := f.Audit(); err != nil || !a.Complete() {
		t.Errorf("audit %+v, %v", a, err)
	}
}

func (b *testbed) wantEqual(t *testing.T) {
	t.Helper()
	b.closeAll()
	src, dst := tree(t, b.src, sameTimes...), tree(t, b.dst, sameTimes...)
	if src != dst {
		t.Errorf("source:\n%s\ndestination:\n%s", src, dst)
	}
	if n, m := b.src.Open(), b.dst.Open(); n+m > 0 {
		t.Errorf("%d directories of the source and %d of the destination are open", n, m)
	}
}

var sameTimes = []fstest.TreeOption{fstest.WithMtimes, fstest.WithRoot, fstest.WithLinks}

func tree(t testing.TB, m *memfs.FS, options ...fstest.TreeOption) string {
	root := m.Root()
	defer root.Close()
	return fstest.Tree(t, root, options...)
}
