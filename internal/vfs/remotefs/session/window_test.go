package session

import (
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// TestWindowFollowsTheRate acknowledges bytes at some rate, and looks what the window becomes.
func TestWindowFollowsTheRate(t *testing.T) {
	for _, tt := range []struct {
		name  string
		rate  int // bytes a second that are acknowledged
		ahead int // how many of a fifth of a second are sent, and not acknowledged yet, at most
		want  int
	}{
		{"fast", 20 << 20, 1000, 20 << 20},
		{"slow, with little to send", 1 << 20, 1, firstWindow},
		{"slow, with much to send", 2 << 20, 1000, 2 << 20},
		{"very slow", 1 << 10, 1 << 20, minWindow},
	} {
		synctest.Test(t, func(t *testing.T) {
			var w Window
			w.init()
			n := tt.rate / 5
			unanswered := make(chan int, 1<<20)
			var sending sync.WaitGroup
			sending.Go(func() {
				for range min(tt.ahead*20, firstWindow/n+100) {
					w.Take(n)
					unanswered <- n
					if tt.ahead == 1 {
						time.Sleep(time.Second / 5)
					}
				}
				close(unanswered)
			})
			for n := range unanswered {
				time.Sleep(time.Second / 5)
				w.Ack(n)
			}
			sending.Wait()
			if got := w.size; got < tt.want*9/10 || got > tt.want*11/10 {
				t.Errorf("%s: the window is %d bytes, want about %d", tt.name, got, tt.want)
			}
		})
	}
}

// TestWindowLetsCallersOnInOrder has callers wait that want unequal room.
func TestWindowLetsCallersOnInOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var w Window
		w.init()
		w.Take(firstWindow)
		var mu sync.Mutex
		var order []int
		for i, n := range []int{firstWindow, 1, 2 << 20, 1} {
			go func() {
				w.Reserve(n)
				mu.Lock()
				order = append(order, i)
				mu.Unlock()
			}()
			synctest.Wait()
		}
		for range 2 {
			w.Ack(firstWindow / 2)
			synctest.Wait()
		}
		if !slices.Equal(order, []int{0}) {
			t.Errorf("%v went on, want only the first", order)
		}
		w.Use(firstWindow, 0)
		synctest.Wait()
		if len(order) != 4 {
			t.Errorf("%v went on, want all", order)
		}
	})
}

// TestWaitersGoFirst checks that reading ahead does not take the window from a caller that waits for it.
func TestWaitersGoFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var w Window
		w.init()
		w.Take(firstWindow - 1)
		go w.Take(2)
		synctest.Wait()
		if w.TryTake(1) {
			t.Error("taken before one who waits")
		}
		w.Ack(firstWindow - 1)
		synctest.Wait()
		if !w.TryTake(1) {
			t.Error("there is room")
		}
	})
}
