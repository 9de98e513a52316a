package walk

import (
	"context"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// A recorder records how shared entries are processed. Each entry takes a second.
type recorder struct {
	do func(e int) // called for each entry, if not nil

	mu   sync.Mutex // guards what follows
	done []int
	now  int // entries in progress
	most int // of now
	then int // calls of Then
	late int // entries in progress when Then was called
}

func (r *recorder) Begin(int) {}

func (r *recorder) Do(_ context.Context, _, e int) {
	r.mu.Lock()
	r.now++
	r.most = max(r.most, r.now)
	r.mu.Unlock()
	time.Sleep(time.Second)
	if r.do != nil {
		r.do(e)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.now--
	r.done = append(r.done, e)
}

func (r *recorder) Then(context.Context, int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.then++
	r.late += r.now
}

// shareOne runs a pool with one task, which has n entries in chunks of 10.
func shareOne(t *testing.T, size *Size, always bool, least, most, n int, r *recorder) {
	t.Helper()
	var p *Pool[string, int]
	p = NewPool(size, func() int { return 0 }, func(ctx context.Context, w int, c *Claim[string]) {
		time.Sleep(time.Second) // until other workers are idle
		list := NewSharedEntries(p, r)
		list.Least, list.Most = least, most
		for chunk := range slices.Chunk(numbers(n), 10) {
			list.Share(ctx, w, chunk)
		}
		list.Finish(ctx, w)
		c.Ack()
	})
	p.AlwaysShare = always
	p.Put("task")
	p.Run(t.Context())
	slices.Sort(r.done)
	if !slices.Equal(r.done, numbers(n)) {
		t.Errorf("done: %v, want each of %d once", r.done, n)
	}
	if r.then != 1 || r.late != 0 {
		t.Errorf("went on %d times, with %d entries in hand", r.then, r.late)
	}
}

// numbers returns the numbers from 0 to n-1.
func numbers(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}

func TestEntriesAreSharedWithIdleWorkers(t *testing.T) {
	tests := []struct {
		workers        int
		always         bool
		least, most, n int
		want           int
	}{
		{workers: 1, n: 30, want: 1},
		{workers: 4, n: 0, want: 0},
		{workers: 4, least: 2, n: 30, want: 4},
		{workers: 4, least: 11, n: 30, want: 1}, // more entries than a chunk has
		{workers: 4, least: 2, most: 1, n: 30, want: 2},
		{workers: 4, least: 11, most: 1, n: 30, want: 4, always: true},
		{workers: 64, least: 2, n: 10, want: 10},
	}
	for _, tt := range tests {
		synctest.Test(t, func(t *testing.T) {
			r := new(recorder)
			shareOne(t, NewSize(tt.workers, tt.workers), tt.always, tt.least, tt.most, tt.n, r)
			if r.most != tt.want {
				t.Errorf("%+v: %d at once", tt, r.most)
			}
		})
	}
}

// TestEntriesDoNotWaitForTheFirst has the first of ten entries offer the others, and wait for them.
func TestEntriesDoNotWaitForTheFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var p *Pool[string, int]
		var list *SharedEntries[string, int, int]
		r := new(recorder)
		r.do = func(e int) {
			if e == 0 {
				list.Offer()
				time.Sleep(time.Minute)
			}
		}
		p = NewPool(NewSize(4, 4), func() int { return 0 }, func(ctx context.Context, w int, c *Claim[string]) {
			list = NewSharedEntries(p, r)
			if rest := list.First(ctx, w, numbers(10)); len(rest) != 0 {
				t.Errorf("left: %v", rest)
			}
			list.Finish(ctx, w)
			c.Ack()
		})
		p.Put("task")
		p.Run(t.Context())
		slices.Sort(r.done)
		if !slices.Equal(r.done, numbers(10)) || r.then != 1 || r.late != 0 {
			t.Errorf("done: %v; went on %d times, with %d entries in hand", r.done, r.then, r.late)
		}
	})
}

// TestHelpersThatAretooManyStop halves the number of workers while all workers are busy.
func TestHelpersThatAretooManyStop(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		size := NewSize(8, 8)
		r := new(recorder)
		var once sync.Once
		r.do = func(int) {
			once.Do(func() { size.Set(3) })
		}
		start := time.Now()
		shareOne(t, size, false, 2, 0, 10, r)
		if r.most != 8 {
			t.Errorf("%d at once, want 8", r.most)
		}
		if took := time.Since(start); took > 4*time.Second {
			t.Errorf("took %v", took)
		}
	})
}

// TestTheLastHelperGoesOn makes the owner of a task leave the task to a helper whose entry takes long.
func TestTheLastHelperGoesOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := &recorder{do: func(e int) {
			if e == 1 {
				time.Sleep(time.Minute)
			}
		}}
		start := time.Now()
		shareOne(t, NewSize(2, 2), false, 2, 0, 5, r)
		if took := time.Since(start); took < time.Minute {
			t.Errorf("took %v, though an entry takes a minute", took)
		}
	})
}
