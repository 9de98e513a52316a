package walk

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
)

// A Worklist holds entries of a claimed task that no worker has begun with. The worker that has claimed
// the task takes one after the other and, while others are idle, lets them take some, too. The last one
// to be done goes on with the task, so no worker waits.
type Worklist[T, W, E any] struct {
	Least int // how many entries are worth waking another worker for
	Most  int // how many others may help at once; 0: all there are

	pool *Pool[T, W]
	work Entries[W, E]

	shared atomic.Bool // others have helped

	mu       sync.Mutex // guards what follows
	rest     []E
	offered  bool
	most     int  // Most, or how many workers there were when it was offered
	helpers  int  // others at work
	complete bool // nothing will be added
}

// Entries says what is done with the entries on a worklist.
type Entries[W, E any] interface {
	// Begin is called before a worker does entries of another's task, and before Then.
	Begin(w W)
	Do(ctx context.Context, w W, e E)
	// Then goes on with the task when all entries are done. It is called once.
	Then(ctx context.Context, w W)
}

// NewWorklist returns an empty worklist.
func NewWorklist[T, W, E any](p *Pool[T, W], work Entries[W, E]) *Worklist[T, W, E] {
	return &Worklist[T, W, E]{pool: p, work: work}
}

// Share has w do entries, with others as long as they are idle. When it returns, all entries
// have been begun, but others may still be working on some.
func (l *Worklist[T, W, E]) Share(ctx context.Context, w W, entries []E) {
	l.mu.Lock()
	l.rest = entries
	l.mu.Unlock()
	for {
		if l.pool.AlwaysShare {
			l.offer(1)
			runtime.Gosched() // so that another worker takes it
		} else if l.pool.Idle() > 0 {
			l.offer(l.Least)
		}
		e, ok := l.take()
		if !ok {
			return
		}
		l.work.Do(ctx, w, e)
	}
}

// Shared reports whether others have helped.
func (l *Worklist[T, W, E]) Shared() bool { return l.shared.Load() }

// Offer lets others have what is left, for w will be long with the entry it has in hand. The others
// need not be idle yet.
func (l *Worklist[T, W, E]) Offer() { l.offer(1) }

// Finish says that there will be no more entries. Unless others are still at work, w goes on with the
// task; otherwise the last of them does.
func (l *Worklist[T, W, E]) Finish(ctx context.Context, w W) {
	l.mu.Lock()
	l.complete = true
	last := l.helpers == 0
	l.mu.Unlock()
	if last {
		l.goOn(ctx, w)
	}
}

// Help has w do entries while there are any, or until there are too many workers.
func (l *Worklist[T, W, E]) Help(ctx context.Context, w W) {
	if !l.join() {
		return
	}
	l.work.Begin(w)
	for !l.pool.tooMany() {
		e, ok := l.take()
		if !ok {
			break
		}
		l.work.Do(ctx, w, e)
	}
	if l.leave() {
		l.goOn(ctx, w)
	} else {
		l.offer(1) // what is left, to those who stay
	}
}

func (l *Worklist[T, W, E]) goOn(ctx context.Context, w W) {
	l.work.Begin(w)
	l.work.Then(ctx, w)
}

// offer offers what is left, if there are at least so many entries.
func (l *Worklist[T, W, E]) offer(least int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.most = l.Most
	if l.most == 0 || l.pool.AlwaysShare {
		l.most = l.pool.Size.Get() // which may have changed
	}
	if l.offered || len(l.rest) < least || l.helpers >= l.most {
		return
	}
	l.offered = true
	l.pool.Offer(l, min(len(l.rest), l.most-l.helpers))
}

// take returns the next entry, unless there is none left.
func (l *Worklist[T, W, E]) take() (e E, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if ok = len(l.rest) > 0; ok {
		e, l.rest = l.rest[0], l.rest[1:]
	}
	if len(l.rest) == 0 {
		l.withdrawLocked()
	}
	return e, ok
}

func (l *Worklist[T, W, E]) withdrawLocked() {
	if l.offered {
		l.offered = false
		l.pool.Withdraw(l)
	}
}

// join counts one more helper, unless nothing is left for it.
func (l *Worklist[T, W, E]) join() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.rest) == 0 || l.helpers >= l.most {
		l.withdrawLocked() // or it would be taken in vain again and again
		return false
	}
	l.shared.Store(true)
	if l.helpers++; l.helpers == l.most {
		l.withdrawLocked()
	}
	return true
}

// leave counts one helper less, and reports whether that was the last one to be done.
func (l *Worklist[T, W, E]) leave() (last bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.helpers--
	return l.helpers == 0 && l.complete
}
