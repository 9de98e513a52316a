package memqueue

import "psync/internal/queue"

// Serve notes which of the starts of a server the requests from now on have reached. A server that is started again may
// have lost what it did last, such as claims and their renewals. Hosts that were answered before it ended still believe in
// that, until their leases lapse. So no lease lapses, and no bundle can be claimed, for the length of one.
func (q *Queue) Serve(server string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if _, known := q.servers[server]; known || server == "" {
		return
	}
	q.servers[server] = q.revision
	if len(q.servers) == 1 {
		return // there was nothing before
	}
	q.claimable = q.now().Add(q.lease)
	for _, k := range q.order {
		if k.held != nil {
			k.held.lapsesAt = q.claimable
		}
	}
	for _, m := range q.members {
		m.renewed = q.now()
	}
	q.changedLocked(queue.Work)
}

// ServedBy reports whether a bundle was claimed when it was known already that a start of a server held the queue.
func (q *Queue) ServedBy(server string, c queue.Claim) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	revision, known := q.servers[server]
	return known && c.Revision > revision
}

// shelterLocked has bundles that wait be held until one can be claimed.
func (q *Queue) shelterLocked(s *queue.State) {
	if d := q.claimable.Sub(q.now()); d > 0 && s.Waiting > 0 {
		s.Held, s.Waiting, s.Lapse = s.Held+s.Waiting, 0, d // when others lapse, too, or later
	}
}
