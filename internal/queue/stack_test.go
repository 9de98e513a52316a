package queue

import (
	"context"
	"errors"
	"io"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
)

func TestEmptyQueueEndsAtOnce(t *testing.T) {
	if _, err := NewStack().Claim(t.Context()); err != io.EOF {
		t.Fatalf("Claim on an empty stack: %v, want io.EOF", err)
	}
}

func TestNewestTaskFirst(t *testing.T) {
	s := NewStack()
	s.Put(Task{Path: "a"}, Task{Path: "b"})
	c, err := s.Claim(t.Context())
	if err != nil || c.Task().Path != "b" {
		t.Fatalf("first claim = %v, %v, want b", c, err)
	}
	c.Put(Task{Path: "b/c"})
	if c, _ := s.Claim(t.Context()); c.Task().Path != "b/c" {
		t.Errorf("second claim = %q, want b/c", c.Task().Path)
	}
}

func TestWaitersStayWhileATaskIsOpen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := NewStack()
		s.Put(Task{Path: "root"})
		root, _ := s.Claim(t.Context())

		var ended atomic.Int32
		for range 3 {
			go func() {
				if _, err := s.Claim(t.Context()); err == io.EOF {
					ended.Add(1)
				}
			}()
		}
		synctest.Wait()
		if n := ended.Load(); n != 0 {
			t.Fatalf("%d waiters ended while a claim was open", n)
		}
		root.Ack()
		synctest.Wait()
		if n := ended.Load(); n != 3 {
			t.Fatalf("%d waiters ended after the last acknowledgement, want 3", n)
		}
	})
}

func TestCancelledContextWakesWaiters(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		why := errors.New("stopped by the test")
		ctx, cancel := context.WithCancelCause(t.Context())
		s := NewStack()
		s.Put(Task{Path: "root"})
		s.Claim(ctx)
		got := make(chan error)
		go func() {
			_, err := s.Claim(ctx)
			got <- err
		}()
		synctest.Wait()
		cancel(why)
		if err := <-got; !errors.Is(err, why) {
			t.Errorf("Claim = %v, want the context's cause", err)
		}
	})
}

// TestEveryTaskOnce lets many workers share a tree that grows while they work.
func TestEveryTaskOnce(t *testing.T) {
	const fanout, depth, workers = 5, 5, 16
	s := NewStack()
	s.Put(Task{})
	var (
		wg   sync.WaitGroup
		mu   sync.Mutex
		seen = map[string]int{}
	)
	for range workers {
		wg.Go(func() {
			for {
				c, err := s.Claim(t.Context())
				if err != nil {
					return
				}
				path := c.Task().Path
				mu.Lock()
				seen[path]++
				mu.Unlock()
				if len(path) < depth {
					for i := range fanout {
						c.Put(Task{Path: path + strconv.Itoa(i)})
					}
				}
				c.Ack()
			}
		})
	}
	wg.Wait()
	want := (fanout*fanout*fanout*fanout*fanout*fanout - 1) / (fanout - 1)
	if len(seen) != want {
		t.Errorf("saw %d tasks, want %d", len(seen), want)
	}
	for path, n := range seen {
		if n != 1 {
			t.Errorf("task %q was handed out %d times", path, n)
		}
	}
}

func BenchmarkClaimPutAck(b *testing.B) {
	s := NewStack()
	s.Put(Task{})
	b.ReportAllocs()
	for b.Loop() {
		c, _ := s.Claim(b.Context())
		c.Put(Task{})
		c.Ack()
	}
}
