package walk

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
)

// A SharedEntries holds the entries of a claimed task that no worker has begun. The worker that has claimed the task
// takes entries one after the other and, while other workers are idle, shares entries with them. The last
// worker to finish continues the task, so no worker waits.
type SharedEntries[T, W, E any] struct {
	Least int // number of entries for which waking another worker pays
	Most  int // maximum number of other workers that help at once; 0: no limit
	// Slow says that each entry takes long, such as a round trip. Entries are then offered before any worker is idle,
	// since workers that are just being started would come too late for the first entry.
	Slow bool

	pool *Pool[T, W]
	work Entries[W, E]

	shared atomic.Bool // other workers have helped

	mu       sync.Mutex // guards what follows
	rest     []E
	offered  bool
	most     int  // Most, or the number of workers at the time of the offer
	helpers  int  // other workers that are helping
	complete bool // no more entries will be added
}

// Entries defines how entries that may be shared are processed.
type Entries[W, E any] interface {
	// Begin is called before a worker processes entries of another worker's task, and before Then.
	Begin(w W)
	Do(ctx context.Context, w W, e E)
	// Then continues the task when all entries are done. It is called once.
	Then(ctx context.Context, w W)
}

// NewSharedEntries returns a SharedEntries without entries.
func NewSharedEntries[T, W, E any](p *Pool[T, W], work Entries[W, E]) *SharedEntries[T, W, E] {
	l := new(SharedEntries[T, W, E])
	l.Init(p, work)
	return l
}

// Init prepares l, which is new, for entries that work defines.
func (l *SharedEntries[T, W, E]) Init(p *Pool[T, W], work Entries[W, E]) { l.pool, l.work = p, work }

// Share makes w process entries, together with idle workers. When Share returns, all entries have been begun,
// but other workers may still be processing some.
func (l *SharedEntries[T, W, E]) Share(ctx context.Context, w W, entries []E) {
	l.mu.Lock()
	l.rest = entries
	l.mu.Unlock()
	for {
		if l.pool.AlwaysShare {
			l.offer(1)
			runtime.Gosched() // so that another worker takes the offer
		} else if l.Slow || l.pool.Idle() > 0 {
			l.offer(l.Least)
		}
		e, ok := l.take()
		if !ok {
			return
		}
		l.work.Do(ctx, w, e)
	}
}

// First makes w process the first of entries alone, and returns the others, but for those that other workers have
// taken because it was slow.
func (l *SharedEntries[T, W, E]) First(ctx context.Context, w W, entries []E) []E {
	l.mu.Lock()
	l.rest = entries[1:]
	l.mu.Unlock()
	l.work.Do(ctx, w, entries[0])
	l.mu.Lock()
	defer l.mu.Unlock()
	rest := l.rest
	l.rest = nil
	l.withdrawLocked()
	return rest
}

// Shared reports whether other workers have helped.
func (l *SharedEntries[T, W, E]) Shared() bool { return l.shared.Load() }

// Offer offers the remaining entries to other workers, because the current entry of w will take long. The other
// workers do not have to be idle yet.
func (l *SharedEntries[T, W, E]) Offer() { l.offer(1) }

// Finish declares that no more entries will be added. If no other worker is still helping, w continues the
// task; otherwise the last helper does.
func (l *SharedEntries[T, W, E]) Finish(ctx context.Context, w W) {
	l.mu.Lock()
	l.complete = true
	last := l.helpers == 0
	l.mu.Unlock()
	if last {
		l.goOn(ctx, w)
	}
}

// Help makes w process entries until no entry is left or there are too many workers.
func (l *SharedEntries[T, W, E]) Help(ctx context.Context, w W) {
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
		l.offer(1) // offer the remaining entries to the workers that stay
	}
}

func (l *SharedEntries[T, W, E]) goOn(ctx context.Context, w W) {
	l.work.Begin(w)
	l.work.Then(ctx, w)
}

// offer offers the remaining entries, if there are at least least entries.
func (l *SharedEntries[T, W, E]) offer(least int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.most = l.Most
	if l.most == 0 || l.pool.AlwaysShare {
		l.most = l.pool.Size.Get() // the number may have changed
	}
	if l.offered || len(l.rest) < least || l.helpers >= l.most {
		return
	}
	l.offered = true
	l.pool.Offer(l, min(len(l.rest), l.most-l.helpers))
}

// take returns the next entry, or false if no entry is left.
func (l *SharedEntries[T, W, E]) take() (e E, ok bool) {
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

func (l *SharedEntries[T, W, E]) withdrawLocked() {
	if l.offered {
		l.offered = false
		l.pool.Withdraw(l)
	}
}

// join counts one more helper, unless no entry is left for the helper.
func (l *SharedEntries[T, W, E]) join() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.rest) == 0 || l.helpers >= l.most {
		l.withdrawLocked() // otherwise idle workers would keep taking the offer for nothing
		return false
	}
	l.shared.Store(true)
	if l.helpers++; l.helpers == l.most {
		l.withdrawLocked()
	}
	return true
}

// leave counts one helper less, and reports whether that helper was the last to finish.
func (l *SharedEntries[T, W, E]) leave() (last bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.helpers--
	return l.helpers == 0 && l.complete
}
