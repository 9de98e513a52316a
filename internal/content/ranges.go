package content

import (
	"context"
	"errors"
	"math"
	"sync"
	"sync/atomic"
)

const (
	// rangeSize is the number of bytes of a shared file that a Copier takes at once: enough to be worth a round of
	// calls, and few enough that all Copiers end at about the same time.
	rangeSize = 8 << 20
	// lastSize is the number of bytes at the end of a shared file that are copied when all the rest is in place.
	lastSize = 1 << 20
)

// errNeedless ends the work on a part that follows a failed part.
var errNeedless = errors.New("an earlier part has failed")

// Ranges are the parts of one large file that are still to be copied or compared. Several Copiers may take
// parts at once, in the order of the file.
//
// The result for the file is the same as if one Copier processed all parts in order: a failure ends the work on
// later parts, and the work on earlier parts continues, because they may fail too.
type Ranges struct {
	size int64 // of the file
	step int64 // no part crosses a multiple of step
	// seek finds the next range at or after off that must be processed. It returns size twice if there is none.
	seek func(off int64) (start, end int64, err error)
	// deal processes a part and returns the offset that it reached. Without an error, an offset before the end of
	// the part means that the file ends there.
	deal func(ctx context.Context, c *Copier, p part) (int64, error)

	helped atomic.Int64

	mu         sync.Mutex // guards what follows
	next       int64      // where the part that no Copier has taken yet begins
	limit      int64      // where that part currently ends
	start, end int64      // the last result of seek
	back       []part     // parts that were taken and given back
	taken      map[int64]context.CancelCauseFunc
	ended      chan struct{} // closed when a part is done, if the owner waits for one
	stop       verdict
}

// A verdict is the result for a file that follows from its first part that was not completed.
type verdict struct {
	at  int64 // where that part begins; math.MaxInt64 if there is none
	end int64 // where the file ends, if err is nil
	err error
}

// newRanges returns the ranges of a whole file. The part that begins at last is held back until all parts
// before it are done.
func newRanges(size, last, step int64) *Ranges {
	return &Ranges{
		size:  size,
		step:  step,
		limit: last,
		taken: make(map[int64]context.CancelCauseFunc),
		stop:  verdict{at: math.MaxInt64, end: size},
	}
}

// Helped returns the number of bytes that Copiers other than the owner have reported to their Progress. The
// number is final when the owner's Copy, Overwrite or Equal has returned.
func (r *Ranges) Helped() int64 { return r.helped.Load() }

// take returns a part for the caller alone and the context for processing it, or false if no part is available
// now.
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

// done ends the work on a part that reached off and then got err. ctx is the Copier's context: if ctx is done,
// the rest of the part is left to other Copiers.
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

// failLocked records a verdict, unless an earlier part already has one.
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

// wait waits until a part is done, if any part is taken. If ctx is done before that, all Copiers stop.
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

// abandon ends the work on all parts with the cause of ctx.
func (r *Ranges) abandon(ctx context.Context) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.failLocked(verdict{-1, 0, context.Cause(ctx)})
}

// more reports whether the owner has anything left to do or to wait for. If more returns false, take returns no
// further parts.
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
