// Package memqueue implements [queue.Queue] in memory. What it answers depends on the requests before, their order, and the
// clock, and on nothing else: package natsqueue has one on each host, and all must answer alike.
package memqueue

import (
	"context"
	"sync"
	"time"

	"psync/internal/queue"
)

// maxBatch is how many records are returned at a time.
const maxBatch = 100

// A Queue is a [queue.Queue] in memory that never loses anything.
type Queue struct {
	lease time.Duration
	now   func() time.Time

	mu       sync.Mutex // guards what follows
	revision uint64     // of the last key that was taken
	puts     int        // how many keys there have been
	state    queue.State
	facts    queue.Facts // of the job
	keys     map[queue.ID]*key
	order    []*key // as they were put
	below    map[queue.Dir][]*place
	requests map[queue.ID]*take
	members  []*member
	left     map[queue.ID]bool // members
	records  []queue.Record
	appended map[queue.ID]bool
	watchers map[chan struct{}]queue.Topic

	servers   map[string]uint64 // the revision when each was first known
	claimable time.Time         // when bundles can be claimed again
}

// A key is a bundle and what became of it.
type key struct {
	bundle  queue.Bundle
	number  int // increases with each key
	attempt int
	held    *take // nil: it waits, or is done
	done    bool
}

// A take is one time that a bundle was claimed.
type take struct {
	key      *key
	member   *member
	claim    queue.Claim
	lapsesAt time.Time
}

type member struct {
	queue.Member
	renewed time.Time
	lost    bool
}

// New returns an empty queue whose leases last as long as given, by the given clock.
func New(lease time.Duration, now func() time.Time) *Queue {
	return &Queue{
		lease: lease, now: now,
		keys: make(map[queue.ID]*key), below: make(map[queue.Dir][]*place), requests: make(map[queue.ID]*take), left: make(map[queue.ID]bool),
		appended: make(map[queue.ID]bool), watchers: make(map[chan struct{}]queue.Topic), servers: make(map[string]uint64),
	}
}

// lock locks the queue for a change.
func (q *Queue) lock(ctx context.Context) (unlock func(), err error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	q.mu.Lock()
	if q.state.Closed {
		q.mu.Unlock()
		return nil, queue.ErrClosed
	}
	return q.mu.Unlock, nil
}

func (q *Queue) Claim(ctx context.Context, id, request queue.ID, round int) (queue.Claim, error) {
	unlock, err := q.lock(ctx)
	if err != nil {
		return queue.Claim{}, err
	}
	defer unlock()
	if t := q.requests[request]; t != nil {
		if t.key.held != t {
			return queue.Claim{}, queue.ErrTaken
		}
		return t.claim, nil
	}
	m := q.memberLocked(id)
	if m == nil {
		return queue.Claim{}, queue.ErrUnknown
	}
	if round != q.state.Round.N {
		return queue.Claim{}, queue.ErrRound
	}
	if q.now().Before(q.claimable) {
		return queue.Claim{}, queue.ErrEmpty
	}
	for _, k := range q.order {
		if q.openLocked(k) && (k.held == nil || !q.now().Before(k.held.lapsesAt)) {
			return q.takeLocked(k, request, m), nil
		}
	}
	return queue.Claim{}, queue.ErrEmpty
}

// openLocked reports whether a bundle belongs to the round and is not done.
func (q *Queue) openLocked(k *key) bool { return !k.done && k.bundle.Round.N == q.state.Round.N }

func (q *Queue) takeLocked(k *key, request queue.ID, m *member) queue.Claim {
	if k.held != nil && k.held.member != m {
		k.held.member.lost = true
	}
	q.revision++
	k.attempt++
	c := queue.Claim{Bundle: k.bundle, Attempt: k.attempt, Revision: q.revision, Restarted: len(q.servers) > 1, Left: q.leftLocked(k)}
	k.held = &take{k, m, c, q.now().Add(q.lease)}
	q.requests[request] = k.held
	q.changedLocked(queue.Work)
	return k.held.claim
}

// holderLocked returns the key of a claim that has not ended.
func (q *Queue) holderLocked(c queue.Claim) (*key, error) {
	k := q.keys[c.Bundle.ID]
	if k == nil || !q.openLocked(k) || k.held == nil || k.held.claim.Revision != c.Revision {
		return nil, queue.ErrTaken
	}
	return k, nil
}

func (q *Queue) Put(ctx context.Context, c queue.Claim, bundles ...queue.Bundle) error {
	if err := queue.CheckBundles(bundles); err != nil {
		return err
	}
	unlock, err := q.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	round := q.state.Round.N + 1
	if c.Revision > 0 {
		if _, err := q.holderLocked(c); err != nil {
			return err
		}
		round--
	}
	for _, b := range bundles {
		if b.Round.N != round {
			return queue.ErrRound
		}
	}
	for _, b := range bundles {
		if q.keys[b.ID] == nil {
			q.puts++
			k := &key{bundle: b, number: q.puts, attempt: b.Attempt}
			q.addLocked(k)
		}
	}
	q.changedLocked(queue.Work)
	return nil
}

func (q *Queue) Renew(ctx context.Context, c queue.Claim) error {
	return q.update(ctx, c, func(k *key) { k.held.lapsesAt = q.now().Add(q.lease) })
}

func (q *Queue) Finish(ctx context.Context, c queue.Claim) error {
	return q.update(ctx, c, func(k *key) {
		k.done, k.held = true, nil
		q.changedLocked(queue.Work)
	})
}

func (q *Queue) GiveBack(ctx context.Context, c queue.Claim) error {
	return q.update(ctx, c, func(k *key) {
		k.held = nil
		k.attempt--
		q.changedLocked(queue.Work)
	})
}

// update changes the key of a claim that has not ended.
func (q *Queue) update(ctx context.Context, c queue.Claim, change func(*key)) error {
	unlock, err := q.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	k, err := q.holderLocked(c)
	if err == nil {
		change(k)
	}
	return err
}

func (q *Queue) Append(ctx context.Context, r queue.Record) error {
	if err := r.Check(); err != nil {
		return err
	}
	unlock, err := q.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	switch {
	case q.appended[r.ID]:
		return nil
	case r.Round != q.state.Round.N:
		return queue.ErrRound
	}
	q.state.Records++
	r.Offset, r.Data = q.state.Records, append([]byte(nil), r.Data...)
	q.appended[r.ID], q.records = true, append(q.records, r)
	q.changedLocked(queue.Added)
	return nil
}

func (q *Queue) Records(ctx context.Context, after uint64) ([]queue.Record, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	rest := q.records[min(after, q.state.Records):]
	return append([]queue.Record(nil), rest[:min(len(rest), maxBatch)]...), ctx.Err()
}
