package pace

import (
	"context"
	"errors"
	"math"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

func TestChunk(t *testing.T) {
	tests := []struct {
		rate, want int64
	}{
		{-1, 0},
		{0, 0},
		{1, 4 << 10},
		{40 << 10, 4 << 10},
		{1 << 20, 1 << 20 / 10},
		{100 << 20, 10 << 20},
		{1 << 40, 16 << 20},
		{math.MaxInt64, 16 << 20},
	}
	for _, tt := range tests {
		if got := NewLimiter(tt.rate).Chunk(); got != tt.want {
			t.Errorf("NewLimiter(%d).Chunk() = %d, want %d", tt.rate, got, tt.want)
		}
	}
}

// TestWaitTakesItsTime has one worker ask again and again. The first chunk is free.
func TestWaitTakesItsTime(t *testing.T) {
	tests := []struct {
		name    string
		rate, n int64
		times   int
		want    time.Duration
	}{
		{"no limit", 0, 1 << 40, 10, 0},
		{"nothing", 1, 0, 10, 0},
		{"less than nothing", 1, -1, 10, 0},
		{"the first chunk", 10_000_000, 1_000_000, 1, 0},
		{"the second", 10_000_000, 1_000_000, 2, 100 * time.Millisecond},
		{"chunks", 10_000_000, 1_000_000, 101, 10 * time.Second},
		{"parts of a chunk", 10_000_000, 10_000, 1100, time.Second},
		{"more than a chunk", 10_000_000, 21_000_000, 1, 2 * time.Second},
		{"much slower than a chunk a second", 1024, 4096, 4, 12 * time.Second},
		{"as fast as can be said", math.MaxInt64, 1 << 30, 100, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				l, start := NewLimiter(tt.rate), time.Now()
				for range tt.times {
					if err := l.Wait(t.Context(), tt.n); err != nil {
						t.Fatal(err)
					}
				}
				// The steps are rounded to whole nanoseconds.
				if got := time.Since(start).Round(10 * time.Microsecond); got != tt.want {
					t.Errorf("took %v, want %v", got, tt.want)
				}
			})
		})
	}
}

// TestSetRate moves a second's worth at each of several rates, the first chunk of which the bucket holds.
func TestSetRate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const most = 10_000_000
		l := NewLimiter(most)
		if err := l.Wait(t.Context(), most/10); err != nil {
			t.Fatal(err)
		}
		for _, rate := range []int64{most, 100_000, 1, most / 2, most} {
			start := time.Now()
			l.SetRate(rate)
			if err := l.Wait(t.Context(), rate); err != nil {
				t.Fatal(err)
			}
			if got := time.Since(start).Round(10 * time.Millisecond); got != time.Second {
				t.Errorf("%d bytes took %v", rate, got)
			}
		}
	})
}

// TestFlowIsSmooth watches many workers for a minute, an idle time included:
// at no time is more through than the rate allows, and one chunk.
func TestFlowIsSmooth(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const rate = 1_000_000
		l := NewLimiter(rate)
		var mu sync.Mutex
		var moved float64
		work := func(seconds float64) {
			start, before := time.Now(), moved
			var workers sync.WaitGroup
			for i := range 20 {
				workers.Go(func() {
					for time.Since(start).Seconds() < seconds {
						n := int64(1000 * (i + 1)) // up to 20 kB
						if err := l.Wait(t.Context(), n); err != nil {
							t.Error(err)
						}
						mu.Lock()
						moved += float64(n)
						most := before + rate*time.Since(start).Seconds() + float64(l.Chunk()) + 1
						if moved > most {
							t.Errorf("after %v: %.0f bytes, want at most %.0f", time.Since(start), moved, most)
						}
						mu.Unlock()
					}
				})
			}
			workers.Wait()
			if got := (moved - before) / time.Since(start).Seconds(); got < 0.99*rate {
				t.Errorf("%.0f bytes a second, want about %d", got, rate)
			}
		}
		work(30)
		time.Sleep(time.Hour)
		work(30)
	})
}

// TestFirstComeFirstServed has a worker that asks for little behind one that
// asks for much, and the other way round.
func TestFirstComeFirstServed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := NewLimiter(1_000_000)
		if err := l.Wait(t.Context(), l.Chunk()); err != nil {
			t.Fatal(err)
		}
		asked := []int64{50_000, 1, 100_000, 10, 70_000}
		var mu sync.Mutex
		var served []int64
		var waiting sync.WaitGroup
		for _, n := range asked {
			waiting.Go(func() {
				if err := l.Wait(t.Context(), n); err != nil {
					t.Error(err)
				}
				mu.Lock()
				defer mu.Unlock()
				served = append(served, n)
			})
			synctest.Wait()
		}
		waiting.Wait()
		for i := range asked {
			if served[i] != asked[i] {
				t.Fatalf("served %v, want %v", served, asked)
			}
		}
	})
}

// TestNoWorkerStarves has one worker ask for a lot at once while others repeatedly ask for a little. Each
// gets something every few turns.
func TestNoWorkerStarves(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := NewLimiter(1_000_000) // ten chunks a second
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		var workers sync.WaitGroup
		workers.Go(func() {
			if err := l.Wait(ctx, 4_000_000); err != nil {
				t.Errorf("the large one: %v", err)
			}
		})
		for range 10 {
			workers.Go(func() {
				turns := 0
				for l.Wait(ctx, 10_000) == nil {
					turns++
				}
				// Ten of these to one chunk, and no large one after the first 8 s.
				if turns < 40 {
					t.Errorf("%d turns", turns)
				}
			})
		}
		workers.Wait()
	})
}

func TestWaitEndsWithItsContext(t *testing.T) {
	stop := errors.New("stop")
	synctest.Test(t, func(t *testing.T) {
		l := NewLimiter(1000)
		ctx, cancel := context.WithCancelCause(t.Context())
		time.AfterFunc(time.Second, func() { cancel(stop) })
		start := time.Now()
		if err := l.Wait(ctx, 1_000_000); !errors.Is(err, stop) {
			t.Errorf("got %v, want the cause", err)
		}
		if got := time.Since(start); got != time.Second {
			t.Errorf("gave up after %v", got)
		}
		// What was not moved is not charged: without that it would be
		// 4.096 s more than the 3.096 s that are still owed.
		start = time.Now()
		if err := l.Wait(t.Context(), 4096); err != nil {
			t.Error(err)
		}
		if got := time.Since(start); got > 4096*time.Millisecond {
			t.Errorf("the next one waited %v", got)
		}
		for _, l := range []*Limiter{l, nil} {
			if err := l.Wait(ctx, 1); !errors.Is(err, stop) {
				t.Errorf("context done before: got %v, want the cause", err)
			}
		}
		// A deadline is waited for, not foreseen.
		ctx, cancel2 := context.WithTimeout(t.Context(), 2*time.Second)
		defer cancel2()
		start = time.Now()
		if err := l.Wait(ctx, 1_000_000); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v, want the deadline", err)
		}
		if got := time.Since(start); got != 2*time.Second {
			t.Errorf("gave up after %v", got)
		}
	})
}
