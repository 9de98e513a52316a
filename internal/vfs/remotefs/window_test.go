package remotefs

import (
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"psync/internal/vfs"
	"psync/internal/wire"
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
		{"very slow", 1 << 10, 1 << 20, leastWindow},
	} {
		synctest.Test(t, func(t *testing.T) {
			var w window
			w.init()
			n := tt.rate / 5
			unanswered := make(chan int, 1<<20)
			var sending sync.WaitGroup
			sending.Go(func() {
				for range min(tt.ahead*20, firstWindow/n+100) {
					w.take(n)
					unanswered <- n
					if tt.ahead == 1 {
						time.Sleep(time.Second / 5)
					}
				}
				close(unanswered)
			})
			for n := range unanswered {
				time.Sleep(time.Second / 5)
				w.give(n)
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
		var w window
		w.init()
		w.take(firstWindow)
		var mu sync.Mutex
		var order []int
		for i, n := range []int{firstWindow, 1, 2 << 20, 1} {
			go func() {
				w.reserve(n)
				mu.Lock()
				order = append(order, i)
				mu.Unlock()
			}()
			synctest.Wait()
		}
		for range 2 {
			w.give(firstWindow / 2)
			synctest.Wait()
		}
		if !slices.Equal(order, []int{0}) {
			t.Errorf("%v went on, want only the first", order)
		}
		w.use(firstWindow, 0)
		synctest.Wait()
		if len(order) != 4 {
			t.Errorf("%v went on, want all", order)
		}
	})
}

// TestFilesThatAreFetchedKeepChannelsBusy has whole files asked for, which the window does not bound. They are expected
// to be as long as the one before.
func TestFilesThatAreFetchedKeepChannelsBusy(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newScripted(t, func(m wire.Message) []wire.Message {
			if m, ok := m.(*wire.Get); ok && m.Name == "large" {
				return []wire.Message{&wire.Got{Whole: true, Data: make([]byte, busyFrom)}}
			}
			return nil // is not answered
		})
		d := openDir(t, h, "/")
		busy := make(chan bool, 1)
		go func() { busy <- h.s.window.waitBusy(busyFrom) }()
		for _, name := range []string{"first", "large", "next"} {
			if len(busy) > 0 {
				t.Errorf("busy before %s was asked for", name)
			}
			go func() { _, _ = d.OpenFile(name, vfs.ReadOnly, 0) }()
			synctest.Wait()
		}
		if len(busy) == 0 {
			t.Error("not busy")
		}
		must(t, h.Close())
	})
}
