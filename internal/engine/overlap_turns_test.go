package engine

import (
	"math/rand/v2"
	"sync"
)

// turns lets two runs proceed one operation at a time, in an order determined by a seed.
type turns struct {
	mu    sync.Mutex // guards the fields below
	cond  *sync.Cond
	rand  *rand.Rand
	now   int     // whose turn it is
	ended [2]bool // runs that have ended or have not started
	stuck bool    // the first run waits until the second has ended
}

func newTurns(r *rand.Rand) *turns {
	t := &turns{rand: r}
	t.cond = sync.NewCond(&t.mu)
	return t
}

// removes reports whether an operation removes an entry.
func removes(op string) bool { return op == "remove" || op == "rmdir" }

// wait returns when a run may carry out an operation. Before that, it may give its turn away.
func (t *turns) wait(run int, op string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.now == run && !t.stuck && !removes(op) && t.rand.IntN(4) == 0 {
		t.passLocked(1 - run)
	}
	for t.now != run {
		t.cond.Wait()
	}
}

// stop calls f and then makes the first run wait until the second one has ended. It does neither if the second one has
// already ended.
func (t *turns) stop(f func()) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.ended[1] {
		return
	}
	f()
	t.stuck = true
	t.passLocked(1)
	for t.now != 0 {
		t.cond.Wait()
	}
}

// end says that a run has ended.
func (t *turns) end(run int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.ended[run] = true
	t.passLocked(1 - run)
}

func (t *turns) passLocked(run int) {
	if !t.ended[run] {
		t.now = run
		t.cond.Broadcast()
	}
}
