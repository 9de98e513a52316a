package content

import (
	"context"
	"errors"
	"math"
	"sync"
	"sync/atomic"
)

const (
	// rangeSize is how many bytes a Copier takes of a shared file at once: enough
	// to be worth a round of calls, and few enough for all to end at the same time.
	rangeSize = 8 << 20
	// lastSize is how much of a shared file is copied when all the rest is there.
	lastSize = 1 << 20
)

// errNeedless ends the work on a part behind one that has failed.
var errNeedless = errors.New("an earlier part has failed")

// Ranges are what is still to be copied, or compared, of one large file. Several
// Copiers may take of them at once, in the order of the file.
//
// What becomes of the file is what would become of it if one Copier dealt with all in
// order: who fails ends the work on what comes after, and what comes before goes on,
// for it may fail too.
type Ranges struct {
	size int64 // of the file
	step int64 // no part goes beyond a multiple of it
	// seek finds the next range at or after off that must be dealt with: size twice
	// if there is none.
	seek func(off int64) (start, end int64, err error)
	// deal deals with a part, and returns how far it came: less than the end without
	// an error means that the file ends there.
	deal func(ctx context.Context, c *Copier, p part) (int64, error)

	helped atomic.Int64

	mu         sync.Mutex // guards what follows
	next       int64      // where the part that no Copier has taken yet begins
	limit      int64      // where it ends for now
	start, end int64      // what seek has found last
	back       []part     // taken and given back
	taken      map[int64]context.CancelCauseFunc
	ended      chan struct{} // closed when a part is done, if the owner waits for one
	stop       verdict
}

// A verdict is what the first part that has not gone well makes of a file.
type verdict struct {
	at  int64 // where that part begins; math.MaxInt64 if there is none
	end int64 // where the file ends, if err is nil
	err error
}

// newRanges returns all of a file. What begins at last is kept back until all before
// it has been dealt with.
func newRanges(size, last, step int64) *Ranges {
	return &Ranges{
		size:  size,
		step:  step,
		limit: last,
		taken: make(map[int64]context.CancelCauseFunc),
		stop:  verdict{at: math.MaxInt64, end: size},
	}
}

// Helped returns how many bytes other Copiers than the owner have reported to their Progress. It
// is final when the owner's Copy, Overwrite or Equal has returned.
func (r *Ranges) Helped() int64 { return r.helped.Load() }

// take returns a part for the caller alone, and the context to deal with it; false if
// there is none now.
func (r *Ranges) take(ctx context.Context) (part, context.Context, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	p, ok := r.pickLocked()
	if !ok {
		return part{}, nil, false
	}
	ctx, cancel := context.WithCancelCause(ctx)
	r.taken[p.hole] = cancel
	return p, ctx, true
}

func (r *Ranges) pickLocked() (p part, ok bool) {
	if r.stop.at != math.MaxInt64 {
		return part{}, false
	}
	if n := len(r.back); n > 0 {
		p, r.back = r.back[n-1], r.back[:n-1]
		return p, true
	}
	if r.next >= r.limit {
		return part{}, false
	}
	if r.next >= r.end {
		var err error
		if r.start, r.end, err = r.seek(r.next); err != nil {
			r.failLocked(verdict{r.next, 0, err})
			return part{}, false
		}
	}
	p = part{hole: r.next, off: min(max(r.next, r.start), r.limit)}
	p.end = max(p.off, min(r.end, r.limit, (p.off/r.step+1)*r.step))
	r.next = p.end
	return p, true
}

// done ends the work on a part, which came as far as off and then to err. ctx is the
// Copier's: what is left when that is done is for others.
func (r *Ranges) done(ctx context.Context, p part, off int64, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.taken[p.hole](nil)
	delete(r.taken, p.hole)
	switch {
	case err == nil && off == p.end:
	case err != nil && ctx.Err() != nil && errors.Is(err, context.Cause(ctx)):
		r.back = append(r.back, part{off, max(off, p.off), p.end})
	default:
		r.failLocked(verdict{p.hole, off, err})
	}
	if r.ended != nil {
		close(r.ended)
		r.ended = nil
	}
}

// failLocked notes what has not gone well, unless something before has not either.
func (r *Ranges) failLocked(v verdict) {
	if v.at >= r.stop.at {
		return
	}
	r.stop = v
	for at, cancel := range r.taken {
		if at > v.at {
			cancel(errNeedless)
		}
	}
}

// wait waits until a part is done, if any is taken. When ctx is done before, all stop.
func (r *Ranges) wait(ctx context.Context) {
	r.mu.Lock()
	if len(r.taken) == 0 {
		r.mu.Unlock()
		return
	}
	ended := make(chan struct{})
	r.ended = ended
	r.mu.Unlock()
	select {
	case <-ended:
	case <-ctx.Done():
		r.abandon(ctx)
		<-ended
	}
}

// abandon ends the work on all parts for the reason why ctx is done.
func (r *Ranges) abandon(ctx context.Context) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.failLocked(verdict{-1, 0, context.Cause(ctx)})
}

// more reports whether the owner has anything left to do or to wait for. If not, take
// has nothing for anybody any more.
func (r *Ranges) more() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case len(r.taken) > 0:
		return true
	case r.stop.at != math.MaxInt64:
	case len(r.back) > 0 || r.next < r.limit: // ctx may have ended between two parts
		return true
	case r.limit < r.size:
		r.limit = r.size
		return true
	}
	return false
}
