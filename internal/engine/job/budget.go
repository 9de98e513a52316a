package job

import (
	"fmt"
	"sync/atomic"

	"psync/internal/journal"
	"psync/internal/plan"
)

// A LimitError says that extraneous entries were not removed, because there were too many of them.
type LimitError struct {
	Extraneous int64 // entries that the sources lack
	Limit      int64 // how many were allowed to be removed
	Uncounted  bool  // not everything could be counted, which is the only reason: Extraneous is within Limit
	Exceeded   bool  // there were more than had been counted; Limit were removed
	Partial    bool  // Limit were removed, as the limit says
	Percent    int64 // of Total entries of the destination is the limit, if it is not 0
	Total      int64
}

func (e *LimitError) Error() string {
	switch {
	case e.Partial:
		return fmt.Sprintf("not everything extraneous was removed: the limit is %d", e.Limit)
	case e.Exceeded:
		return fmt.Sprintf("the sources lack more than they did before: %d entries, the limit, were removed", e.Limit)
	case e.Uncounted:
		return "nothing extraneous was removed: not all of it could be counted, and " + e.limit()
	}
	return fmt.Sprintf("nothing extraneous was removed: the sources lack %d entries of the destination, and %s", e.Extraneous, e.limit())
}

func (e *LimitError) limit() string {
	if e.Percent != 0 {
		return fmt.Sprintf("the limit is %d, which is %d %% of its %d", e.Limit, e.Percent, e.Total)
	}
	return fmt.Sprintf("the limit is %d", e.Limit)
}

// A Budget counts the entries to remove before any is removed, and then how many may still be removed. The zero value
// has no limit. Its methods are safe for concurrent use.
type Budget struct {
	Max *plan.Limit // nil: there is no limit

	extraneous atomic.Int64
	total      atomic.Int64 // entries of the destination
	uncounted  atomic.Bool  // there may be more
	deferred   atomic.Bool  // they are left until all hosts have counted

	limit int64        // set before anything is removed
	left  atomic.Int64 // of limit; negative if more was to be removed
}

// AddTotal counts n entries of the destination, whether or not they will be removed.
func (b *Budget) AddTotal(n int) { b.total.Add(int64(n)) }

// AddExtraneous counts an entry that will be removed.
func (b *Budget) AddExtraneous() { b.extraneous.Add(1) }

// SetUncounted notes that some entries could not be counted.
func (b *Budget) SetUncounted() { b.uncounted.Store(true) }

// Counts returns what was counted, for a journal, and whether it is left until all hosts have counted.
func (b *Budget) Counts() (r journal.Removals, deferred bool) {
	if b == nil {
		return r, false
	}
	return journal.Removals{Extraneous: b.extraneous.Load(), Total: b.total.Load(), Uncounted: b.uncounted.Load()}, b.deferred.Load()
}

// Add adds what was counted elsewhere.
func (b *Budget) Add(r journal.Removals) {
	b.extraneous.Add(r.Extraneous)
	b.total.Add(r.Total)
	b.uncounted.Store(b.uncounted.Load() || r.Uncounted)
}

// BudgetOf returns the budget that counts removals from d.
func BudgetOf(r *Run, d *Dir) *Budget {
	if d.Left.Counted != nil {
		return d.Left.Counted
	}
	return &r.Budget
}

// Approve returns a *[LimitError] if more entries were counted than the limit allows, or not all could be
// counted. It must be called after everything is counted, and before anything is removed.
func (b *Budget) Approve() error {
	if b.Max == nil {
		return nil
	}
	limit := b.Max.Of(b.total.Load())
	if n := b.extraneous.Load(); !b.Max.Partial && (n > limit || b.uncounted.Load()) {
		err := &LimitError{Extraneous: n, Limit: limit, Uncounted: n <= limit}
		if b.Max.Percent {
			err.Percent, err.Total = b.Max.N, b.total.Load()
		}
		return err
	}
	b.limit = limit
	b.left.Store(limit)
	return nil
}

// Spend takes one removal from the budget. It returns a *[LimitError] if none is left: a source may lose
// entries after they were counted.
func (b *Budget) Spend() error {
	if b.Max == nil || b.left.Add(-1) >= 0 {
		return nil
	}
	return &LimitError{Limit: b.limit, Exceeded: !b.Max.Partial, Partial: b.Max.Partial}
}

// Skipped returns a *[LimitError] if removals were skipped because a partial limit was reached.
func (b *Budget) Skipped() error {
	if b.Max == nil || !b.Max.Partial || b.left.Load() >= 0 {
		return nil
	}
	return &LimitError{Limit: b.limit, Partial: true}
}
