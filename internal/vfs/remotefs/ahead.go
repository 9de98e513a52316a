package remotefs

import (
	"sync"

	"psync/internal/vfs"
	"psync/internal/wire"
)

// openedAhead holds the directories that were opened before anyone asked for them.
type openedAhead struct {
	mu   sync.Mutex // guards what follows
	dirs map[wire.OpenPath]*Dir
}

// take removes and returns the directory that a request would open, or nil if that was not opened ahead.
func (a *openedAhead) take(m *wire.OpenPath) *Dir {
	a.mu.Lock()
	defer a.mu.Unlock()
	d := a.dirs[*m]
	delete(a.dirs, *m)
	return d
}

// startAnswering asks the server the questions that the Host will likely be asked. It does not wait for the answers.
func (h *Host) startAnswering(q *vfs.Questions) {
	_ = h.Prepare(q.Preparation) // a failure ends the session
	for _, p := range q.Stat {
		h.startAsking(wire.PathQuery{Query: wire.QueryStat, Path: p})
	}
	for _, p := range q.Lstat {
		h.startAsking(wire.PathQuery{Query: wire.QueryLstat, Path: p})
	}
	for _, p := range q.Resolve {
		h.startAsking(wire.PathQuery{Query: wire.QueryResolve, Path: p})
	}
	h.ahead.mu.Lock()
	defer h.ahead.mu.Unlock()
	h.ahead.dirs = make(map[wire.OpenPath]*Dir)
	for _, o := range q.Opens {
		m := wire.OpenPath{Path: o.Path, Options: o.Options}
		if h.ahead.dirs[m] != nil {
			continue
		}
		sent := m
		d := h.startOpening(&sent)
		h.ahead.dirs[m] = d
		if o.List {
			d.startListing()
		}
	}
}
