package walk

import (
	"sync/atomic"
	"testing"
)

func TestWaiters(t *testing.T) {
	var made, done atomic.Int32
	s := NewWaiters(2, func() int32 { return made.Add(1) })
	begun, goOn := make(chan int32), make(chan struct{})
	wait := func(w int32) {
		begun <- w
		<-goOn
		done.Add(1)
	}
	for range 2 {
		if !s.TryDo(wait) {
			t.Fatal("no worker, although none has begun")
		}
	}
	if first, second := <-begun, <-begun; first == second {
		t.Error("one worker does both")
	}
	if s.TryDo(wait) {
		t.Error("a third worker, of two")
	}
	close(goOn)
	s.Finish()
	if made.Load() != 2 || done.Load() != 2 {
		t.Errorf("%d workers have done %d pieces of work, want 2 and 2", made.Load(), done.Load())
	}
}
