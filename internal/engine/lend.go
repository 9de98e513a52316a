package engine

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"

	"psync/internal/content"
	"psync/internal/report"
	"psync/internal/vfs"
	"psync/internal/walk"
)

// A shelf holds entries of a directory in hand that nobody has begun with yet. The
// worker that has claimed the directory takes one after the other, and while others
// are idle it lets them take, too. Whoever is the last to be done goes on with the
// directory, so nobody waits.
type shelf struct {
	deal func(ctx context.Context, w *worker, d *directory, e vfs.Entry) // with one entry
	then func(ctx context.Context, w *worker, d *directory)              // when all are dealt with

	lent    atomic.Bool // somebody has borrowed
	mu      sync.Mutex  // guards what follows
	rest    []vfs.Entry
	most    int // how many may borrow at once
	offered bool
	owner   *directory
	loan    *directory // what borrowers begin with, and what has become of it; nil if nobody has borrowed
	out     int        // borrowers at work
	listed  bool       // nothing will be added
}

const (
	// leastLocal and leastFar are how many entries are worth waking somebody for.
	leastLocal, leastFar = 8, 2
	// mostLocal is how many may borrow from a local directory: the system lets one at
	// a time make or remove an entry of it.
	mostLocal = 7
	// longFile is the size, in bytes, from which the other entries of a directory do not
	// wait for a file.
	longFile = 1 << 20
)

// newShelf puts a shelf into d, for a part of what is to be done in it.
func (w *worker) newShelf(d *directory,
	deal func(ctx context.Context, w *worker, d *directory, e vfs.Entry),
	then func(ctx context.Context, w *worker, d *directory),
) {
	d.shelf = &shelf{deal: deal, then: then, owner: d}
}

// isFar reports whether looking at an entry of d may take a round trip.
func (w *worker) isFar(d *directory) bool {
	return d.farDest || d.srcVolume != nil && d.srcVolume.Network
}

// share deals with entries of d, with whoever else is idle.
func (w *worker) share(ctx context.Context, d *directory, entries []vfs.Entry) error {
	s := d.shelf
	s.mu.Lock()
	s.rest = entries
	s.mu.Unlock()
	least := leastLocal
	if w.isFar(d) {
		least = leastFar
	}
	for {
		if w.AlwaysShare {
			w.lend(d, 1)
			runtime.Gosched() // so that somebody takes it
		} else if w.pool.Idle() > 0 {
			w.lend(d, least)
		}
		e, ok := s.take(ctx, w.pool)
		if !ok {
			return context.Cause(ctx)
		}
		s.deal(ctx, w, d, e)
	}
}

// lend offers the entries of d that nobody has begun with, if there are at least so many, to
// idle workers. Those need not be idle yet.
func (w *worker) lend(d *directory, least int) {
	s := d.shelf
	if s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.most = mostLocal
	if w.isFar(d) || w.AlwaysShare {
		s.most = w.Workers.Get() // which may have changed
	}
	if s.offered || len(s.rest) < least || s.out >= s.most {
		return
	}
	if s.loan == nil {
		s.loan = w.loan(d) // for only the owner can come here first
	}
	s.offered = true
	w.pool.Offer(s, min(len(s.rest), s.most-s.out))
}

// loan returns what is known of d for somebody else to work in it.
func (w *worker) loan(d *directory) *directory {
	if len(w.Alternatives.Dirs) > 0 {
		w.openAlternatives(d)
	}
	b := *d
	b.names, b.awaited, b.claim = nil, nil, nil
	b.deferred = nil
	return &b
}

// take returns the next entry, unless there is none left.
func (s *shelf) take(ctx context.Context, p *walk.Pool[task, *worker]) (vfs.Entry, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if ctx.Err() != nil {
		s.rest = nil
	}
	var e vfs.Entry
	some := len(s.rest) > 0
	if some {
		e, s.rest = s.rest[0], s.rest[1:]
	}
	if len(s.rest) == 0 {
		s.withdrawLocked(p)
	}
	return e, some
}

func (s *shelf) withdrawLocked(p *walk.Pool[task, *worker]) {
	if s.offered {
		s.offered = false
		p.Withdraw(s)
	}
}

// begin returns the directory for a borrower to work in, or nil if nothing is left.
func (s *shelf) begin(p *walk.Pool[task, *worker]) *directory {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.rest) == 0 || s.out >= s.most {
		s.withdrawLocked(p) // or it would be taken in vain again and again
		return nil
	}
	if s.out++; s.out == s.most {
		s.withdrawLocked(p)
	}
	s.lent.Store(true)
	b := *s.loan
	b.awaited = nil
	return &b
}

// end takes back a directory from a borrower, and reports whether that was the last one.
func (s *shelf) end(b *directory) (last bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.loan.merge(b)
	s.out--
	return s.out == 0 && s.listed
}

// handOver says that nothing more will be on the shelf of d. It reports whether everything
// is dealt with; otherwise the last borrower goes on.
func (s *shelf) handOver() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.listed = true
	return s.out == 0
}

// merge adds to what is known of d what became of it in other hands.
func (d *directory) merge(b *directory) {
	if b.touched && !d.touched {
		d.touched, d.destAttr.Mode = true, b.destAttr.Mode
	}
	d.lifted = d.lifted.Union(b.lifted)
	d.destAttr.Flags &^= d.lifted.Locks()
	d.trouble = d.trouble || b.trouble
	d.littered = d.littered || b.littered
	d.waits = d.waits || b.waits
	d.awaited = append(d.awaited, b.awaited...)
	d.tolerance.Granularity = max(d.tolerance.Granularity, b.tolerance.Granularity)
	if d.made == nil {
		d.made = b.made
	}
	switch {
	case d.backups == nil:
		d.backups = b.backups
	case b.backups != nil && b.backups != d.backups: // opened twice, and so not one of the roots
		b.backups.Close()
	}
}

// handOn ends a part of what is to be done in d. If nobody else is at work in it any more,
// the next part follows.
func (w *worker) handOn(ctx context.Context, d *directory) {
	if d.shelf.handOver() {
		w.goOn(ctx, d)
	}
}

// goOn goes on in a directory all of whose entries on the shelf are dealt with.
func (w *worker) goOn(ctx context.Context, d *directory) {
	s := d.shelf
	if s.loan != nil {
		d.merge(s.loan)
	}
	d.shelf = nil
	w.doing.Set(d.position(""))
	s.then(ctx, w, d)
}

// lentRanges are the ranges of a file that others may help with.
type lentRanges struct {
	*content.Ranges
	at   report.Position // of the file
	free atomic.Int32    // how many more may help
}

// lendRanges offers ranges of the file in hand to idle workers; see [content.Copier].
func (w *worker) lendRanges(r *content.Ranges) (done func()) {
	w.lent = r
	o := &lentRanges{Ranges: r}
	o.at, _ = w.doing.Get()
	o.free.Store(int32(w.Streams - 1))
	w.pool.Offer(o, w.Streams-1)
	return func() { w.pool.Withdraw(o) }
}

// cutoff returns the size in bytes from which files of d are copied by several workers,
// or 0 if none are.
func (w *worker) cutoff(d *directory) int64 {
	switch {
	case w.AlwaysShare && w.Streams > 1:
		return 2 // a single byte has no ranges
	case w.Streams < 2 || w.StreamsFar && !w.isFar(d):
		return 0
	}
	return w.Cutoff
}

// Help has w help with the ranges of a file.
func (o *lentRanges) Help(ctx context.Context, w *worker) {
	free := o.free.Add(-1)
	if free <= 0 {
		w.pool.Withdraw(o)
	}
	if free >= 0 {
		w.doing.Set(o.at)
		defer w.doing.Clear()
		w.copier.Help(ctx, o.Ranges)
		w.pool.Withdraw(o) // nothing is left to take
	}
}

// Help has w take entries from the shelf while there are any, or until there are too many workers.
func (s *shelf) Help(ctx context.Context, w *worker) {
	d := s.begin(w.pool)
	if d == nil {
		return
	}
	w.doing.Set(d.position(""))
	defer w.doing.Clear()
	for !w.pool.TooMany() {
		e, ok := s.take(ctx, w.pool)
		if !ok {
			break
		}
		s.deal(ctx, w, d, e)
	}
	if !s.end(d) {
		w.lend(d, 1) // what is left, to those who stay
		return
	}
	w.goOn(ctx, s.owner)
}
