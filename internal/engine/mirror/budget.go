package mirror

import (
	"fmt"
	"sync/atomic"

	"psync/internal/plan"
)

// A LimitError says that what the sources lack was not removed, because there was too much of it.
type LimitError struct {
	Extraneous int64 // entries that the sources lack
	Limit      int64 // how many might have been removed
	Uncounted  bool  // there may be more
	Exceeded   bool  // more than were counted turned up later, when Limit had been removed
}

func (e *LimitError) Error() string {
	switch {
	case e.Exceeded:
		return fmt.Sprintf("the sources lack more than they did before: %d entries, the limit, were removed", e.Limit)
	case e.Uncounted:
		return fmt.Sprintf("nothing extraneous was removed: not all of it could be counted, and the limit is %d", e.Limit)
	}
	return fmt.Sprintf("nothing extraneous was removed: the sources lack %d entries of the destination, and the limit is %d", e.Extraneous, e.Limit)
}

// A Budget counts what is to be removed before anything is, and then how much of it still may be. Its
// methods are safe for concurrent use.
type Budget struct {
	Max *plan.Limit // nil: there is no limit

	extraneous atomic.Int64
	total      atomic.Int64 // entries of the destination
	uncounted  atomic.Bool  // there may be more

	limit int64        // set before anything is removed
	left  atomic.Int64 // of limit
}

// AddTotal counts n entries of the destination, whether or not they are to be removed.
func (b *Budget) AddTotal(n int) { b.total.Add(int64(n)) }

// AddExtraneous counts an entry that is to be removed.
func (b *Budget) AddExtraneous() { b.extraneous.Add(1) }

// SetUncounted notes that some entries could not be counted.
func (b *Budget) SetUncounted() { b.uncounted.Store(true) }

// Approve returns a *[LimitError] if more was counted than the limit allows. It is called when everything
// is counted, and before anything is removed.
func (b *Budget) Approve() error {
	if b.Max == nil {
		return nil
	}
	limit := b.Max.Of(b.total.Load())
	if n := b.extraneous.Load(); n > limit || b.uncounted.Load() {
		return &LimitError{Extraneous: n, Limit: limit, Uncounted: n <= limit}
	}
	b.limit = limit
	b.left.Store(limit)
	return nil
}

// Spend takes one removal from what is left. It returns a *[LimitError] if that is nothing: a source may lose
// entries after they were counted.
func (b *Budget) Spend() error {
	if b.Max == nil || b.left.Add(-1) >= 0 {
		return nil
	}
	return &LimitError{Limit: b.limit, Exceeded: true}
}
