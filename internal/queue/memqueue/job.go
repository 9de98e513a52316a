package memqueue

import (
	"context"
	"slices"

	"psync/internal/queue"
)

func (q *Queue) Join(ctx context.Context, m queue.Member) error {
	if err := m.Check(); err != nil {
		return err
	}
	unlock, err := q.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	switch {
	case q.left[m.ID]:
		return queue.ErrUnknown // a repeated request that comes late
	case q.memberLocked(m.ID) != nil:
		return nil
	case q.facts == nil:
		q.facts = append(queue.Facts{}, m.Facts...)
	}
	if err := m.Facts.Compare(q.facts); err != nil {
		return err
	}
	q.members = append(q.members, &member{Member: m, renewed: q.now()})
	q.changedLocked(queue.Work)
	return nil
}

func (q *Queue) memberLocked(id queue.ID) *member {
	for _, m := range q.members {
		if m.ID == id {
			return m
		}
	}
	return nil
}

func (q *Queue) Report(ctx context.Context, id queue.ID, s queue.Status) error {
	if err := s.Check(); err != nil {
		return err
	}
	unlock, err := q.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	m := q.memberLocked(id)
	if m == nil {
		return queue.ErrUnknown
	}
	m.renewed = q.now()
	if s.Seq < m.Seq {
		return nil
	}
	isNew := s.Hungry != m.Hungry || s.Finished != m.Finished
	if m.Status = s; isNew {
		q.changedLocked(queue.Work)
	}
	return nil
}

func (q *Queue) Leave(ctx context.Context, id queue.ID) error {
	unlock, err := q.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	q.left[id] = true
	q.members = slices.DeleteFunc(q.members, func(m *member) bool { return m.ID == id })
	q.changedLocked(queue.Work)
	return nil
}

func (q *Queue) Begin(ctx context.Context, r queue.Round) error {
	unlock, err := q.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	switch {
	case r == q.state.Round:
		return nil
	case r.N != q.state.Round.N+1:
		return queue.ErrRound
	}
	q.state.Round = r
	clear(q.requests)
	known := q.order
	q.order = nil
	clear(q.keys)
	clear(q.below)
	for _, k := range known {
		if k.bundle.Round.N >= r.N {
			q.addLocked(k)
		}
	}
	q.changedLocked(queue.Work)
	return nil
}

func (q *Queue) Close(ctx context.Context, exitStatus int) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	switch {
	case q.state.Closed && q.state.Status != exitStatus:
		return queue.ErrClosed
	case q.state.Closed:
		return nil
	}
	q.state.Closed, q.state.Status = true, exitStatus
	q.changedLocked(queue.Work)
	q.changedLocked(queue.Added)
	return nil
}

func (q *Queue) State(ctx context.Context) (queue.State, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	s := q.state
	for _, k := range q.order {
		switch {
		case !q.openLocked(k):
		case k.held == nil:
			s.Waiting++
		default:
			lapse := k.held.lapsesAt.Sub(q.now())
			if s.Held++; s.Held == 1 || lapse < s.Lapse {
				s.Lapse = lapse
			}
		}
	}
	q.shelterLocked(&s)
	for _, m := range q.members {
		shown := m.Member
		shown.Age, shown.Lost = q.now().Sub(m.renewed), m.lost
		s.Members = append(s.Members, shown)
	}
	return s, ctx.Err()
}

func (q *Queue) Watch(ctx context.Context, t queue.Topic) (<-chan struct{}, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	c := make(chan struct{}, 1)
	c <- struct{}{}
	q.watchers[c] = t
	context.AfterFunc(ctx, func() {
		q.mu.Lock()
		defer q.mu.Unlock()
		delete(q.watchers, c)
	})
	return c, ctx.Err()
}

// Lost implements [queue.Queue].
func (q *Queue) Lost() <-chan struct{} { return nil }

// changedLocked wakes those who wait for a change.
func (q *Queue) changedLocked(t queue.Topic) {
	for c, topic := range q.watchers {
		if topic != t {
			continue
		}
		select {
		case c <- struct{}{}:
		default: // it has not looked yet
		}
	}
}
