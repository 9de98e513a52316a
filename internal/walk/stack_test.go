package walk

import (
	"io"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
)

func TestEmptyQueueEndsAtOnce(t *testing.T) {
	if _, _, err := newStack[string]().claim(); err != io.EOF {
		t.Fatalf("claim on an empty stack: %v, want io.EOF", err)
	}
}

func TestNewestTaskFirst(t *testing.T) {
	s := newStack[string]()
	s.put("a", "b")
	c, _, err := s.claim()
	if err != nil || c.Task() != "b" {
		t.Fatalf("first claim = %v, %v, want b", c, err)
	}
	c.Put("b/c")
	if c, _, _ := s.claim(); c.Task() != "b/c" {
		t.Errorf("second claim = %q, want b/c", c.Task())
	}
}

// TestDeliveries has tasks delivered out of order, again, or not at all.
func TestDeliveries(t *testing.T) {
	s := newStack[string]()
	deliveries := []Delivery{{Index: 0, Again: true}, {Index: 0, Lost: true}, {Index: 1}, {Index: 0, Lost: true, Again: true}, {Index: 0}}
	s.deliver = func(waiting int, task func(int) string) Delivery {
		d := deliveries[0]
		deliveries = deliveries[1:]
		if d.Index >= waiting {
			t.Errorf("task %d is to be delivered, and %d wait", d.Index, waiting)
		}
		return d
	}
	s.put("a", "lost", "b")
	for _, want := range []struct {
		task    string
		attempt int
	}{{"a", 1}, {"a", 2}, {"b", 2}} {
		c, _, err := s.claim()
		if err != nil || c.Task() != want.task || c.Attempt() != want.attempt {
			t.Fatalf("claim = %+v, %v, want %v", c, err, want)
		}
		c.Ack()
	}
	if _, _, err := s.claim(); err != io.EOF {
		t.Errorf("claim when all were delivered: %v, want io.EOF", err)
	}
}

func TestWaitersStayWhileATaskIsOpen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStack[string]()
		s.put("root")
		root, _, _ := s.claim()

		var ended atomic.Int32
		for range 3 {
			go func() {
				if _, _, err := s.claim(); err == io.EOF {
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

// TestEveryTaskOnce lets many workers share a tree that grows while they work.
func TestEveryTaskOnce(t *testing.T) {
	const fanout, depth, workers = 5, 5, 16
	s := newStack[string]()
	s.put("")
	var (
		wg   sync.WaitGroup
		mu   sync.Mutex
		seen = map[string]int{}
	)
	for range workers {
		wg.Go(func() {
			for {
				c, _, err := s.claim()
				if err != nil {
					return
				}
				path := c.Task()
				mu.Lock()
				seen[path]++
				mu.Unlock()
				if len(path) < depth {
					for i := range fanout {
						c.Put(path + strconv.Itoa(i))
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

func TestOffersGoToThoseWhoWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStack[string]()
		s.put("root")
		root, _, _ := s.claim()
		if n := s.waiting.Load(); n != 0 {
			t.Errorf("%d wait, though no worker has asked", n)
		}
		var got []any
		take := func() {
			_, o, _ := s.claim()
			got = append(got, o)
		}
		go take()
		synctest.Wait()
		if n := s.waiting.Load(); n != 1 {
			t.Errorf("%d wait, want 1", n)
		}
		s.offer("a", 5)
		s.offer("a", 5) // this counts as one offer
		synctest.Wait()
		s.offer("b", 5)
		for range 3 {
			take()
		}
		if want := []any{"a", "a", "b", "a"}; !slices.Equal(got, want) {
			t.Errorf("offers taken: %v, want %v", got, want)
		}
		s.withdraw("a")
		s.withdraw("a")
		take()
		if got[4] != "b" {
			t.Errorf("%v is offered, want b", got[4])
		}
		root.Put("child")
		if c, o, _ := s.claim(); o != nil || c.Task() != "child" {
			t.Errorf("an offer, %v, comes before a task", o)
		} else {
			c.Ack()
		}
		s.withdraw("b")
		go take()
		synctest.Wait()
		if len(got) != 5 {
			t.Errorf("%v was taken when nothing was left", got[5:])
		}
		root.Ack()
		synctest.Wait()
	})
}

// TestOffersWakeAsManyAsAreWanted checks how many waiting callers an offer wakes.
func TestOffersWakeAsManyAsAreWanted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStack[string]()
		s.put("root")
		root, _, _ := s.claim()
		var woken atomic.Int32
		for range 5 {
			go func() {
				if _, o, _ := s.claim(); o != nil {
					woken.Add(1)
				}
			}()
		}
		synctest.Wait()
		s.offer("a", 2)
		synctest.Wait()
		if n := woken.Load(); n != 2 {
			t.Errorf("%d were woken, want 2", n)
		}
		s.withdraw("a")
		root.Ack()
	})
}

func BenchmarkClaimPutAck(b *testing.B) {
	s := newStack[string]()
	s.put("")
	b.ReportAllocs()
	for b.Loop() {
		c, _, _ := s.claim()
		c.Put("")
		c.Ack()
	}
}
