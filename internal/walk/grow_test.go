package walk

import (
	"context"
	"testing"
	"time"
)

// TestGrower simulates workers that keep some processors busy.
func TestGrower(t *testing.T) {
	for _, tt := range []struct {
		name       string
		processors int
		busy       func(workers int) float64 // processors
		after      time.Duration
		want       int
	}{
		{"calls take no time", 2, func(n int) float64 { return float64(min(n, 2)) }, time.Minute, 2},
		{"a disk answers in milliseconds", 2, func(n int) float64 { return 0.03 * float64(n) }, 60 * time.Millisecond, 16},
		{"and a faster one", 2, func(n int) float64 { return min(0.3*float64(n), 2) }, 400 * time.Millisecond, 8},
		{"on many processors", 8, func(n int) float64 { return 0.1 * float64(n) }, 40 * time.Millisecond, 16},
		{"calls wait for each other", 2, func(n int) float64 { return 1 + 0.01*float64(n) }, 900 * time.Millisecond, 2},
		{"and nothing has changed since", 2, func(n int) float64 { return 1 + 0.01*float64(n) }, 10 * time.Second, 2},
		{"half of the time goes to a disk", 2, func(n int) float64 { return min(0.5*float64(n), 2) }, 300 * time.Millisecond, 4},
	} {
		const interval = 5 * time.Millisecond
		size := NewSize(tt.processors, 100)
		size.GrowTo(16)
		now := usage{at: time.Unix(0, 0)}
		g := &grower{processors: tt.processors, begin: now, coolDown: firstCoolDown}
		for i := time.Duration(0); i < tt.after; i += interval {
			n := size.Get()
			now.at, now.cpu = now.at.Add(interval), now.cpu+time.Duration(tt.busy(n)*float64(interval))
			size.changeWhileGrowing(g.next(now, n, 0))
		}
		if n := size.Get(); n != tt.want {
			t.Errorf("%s: %d workers after %v, want %d", tt.name, n, tt.after, tt.want)
		}
	}
}

func TestNoWorkersAreAddedWhileSomeHaveNoWork(t *testing.T) {
	g := &grower{processors: 2, begin: usage{at: time.Unix(0, 0)}, coolDown: firstCoolDown}
	for i := range 1000 {
		if n := g.next(usage{at: time.Unix(0, 0).Add(time.Duration(i+1) * growInterval)}, 2, 1); n != 2 {
			t.Fatalf("%d workers", n)
		}
	}
}

// TestWorkersAreAddedWhileCallsWait has tasks that all wait until as many are claimed as there may be workers.
func TestWorkersAreAddedWhileCallsWait(t *testing.T) {
	const first, enough = 2, 11
	size := NewSize(first, 100)
	size.GrowTo(enough)
	claimed, all := make(chan bool), make(chan bool)
	p := NewPool(size, func() int { return 0 }, func(_ context.Context, _ int, c *Claim[int]) {
		select {
		case claimed <- true:
		case <-all:
		}
		<-all
		c.Ack()
	})
	p.Put(make([]int, 50)...)
	go func() {
		for range enough {
			<-claimed
		}
		close(all)
	}()
	p.Run(t.Context())
}

func TestTheUserEndsGrowth(t *testing.T) {
	for name, change := range map[string]func(*Size){
		"set":    func(s *Size) { s.Set(3) },
		"double": (*Size).Double,
		"halve":  (*Size).Halve,
	} {
		s := NewSize(4, 100)
		if s.mayGrow() {
			t.Error("grows from the start")
		}
		s.GrowTo(16)
		s.Add(1)
		if !s.mayGrow() || s.Get() != 5 || s.Later() != 17 {
			t.Errorf("%d workers after one was added, and %d later", s.Get(), s.Later())
		}
		if !s.changeWhileGrowing(10) || s.Get() != 10 {
			t.Errorf("%d workers, want 10", s.Get())
		}
		change(s)
		n := s.Get()
		if s.changeWhileGrowing(16) || s.Get() != n {
			t.Errorf("%s: grew from %d to %d", name, n, s.Get())
		}
	}
}
