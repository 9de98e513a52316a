package engine

import (
	"sync"

	"psync/internal/report"
)

// An Activity knows what the workers of a run have in hand, for those who want to know
// while it goes on. The zero value is ready for use, by one run.
type Activity struct {
	mu      sync.Mutex // guards what follows
	labels  []string   // of the sources
	workers []*doing
}

// Paths returns the entry, or the directory, that each busy worker has in hand.
func (a *Activity) Paths() []string {
	a.mu.Lock()
	defer a.mu.Unlock()
	var paths []string
	for _, h := range a.workers {
		if at, busy := h.get(); busy {
			paths = append(paths, report.Event{Root: a.labels[at.source], Dir: at.path()}.Path())
		}
	}
	return paths
}

func (a *Activity) begin(sources []Source) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, s := range sources {
		a.labels = append(a.labels, s.Label)
	}
}

// add returns what is for one more worker to set.
func (a *Activity) add() *doing {
	a.mu.Lock()
	defer a.mu.Unlock()
	h := new(doing)
	a.workers = append(a.workers, h)
	return h
}

// A doing tells what a worker has in hand. Setting it takes some nanoseconds.
type doing struct {
	mu   sync.Mutex // guards what follows
	at   position
	busy bool
}

// A position is a directory of a source, or the entry with a name in it.
type position struct {
	source  int
	dir     string   // unless it is removed
	removal *removal // or nil
	name    string
}

// position returns that of the entry called name in d, or that of d itself.
func (d *directory) position(name string) position {
	return position{source: d.task.Source, dir: d.task.Path, removal: d.removal, name: name}
}

func (p position) path() string {
	if p.removal != nil {
		p.dir = p.removal.path()
	}
	return join(p.dir, p.name)
}

func (h *doing) set(at position) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.at, h.busy = at, true
}

// setName says which entry of its directory the worker has in hand, or none if name is "". It is
// not called for entries that are only looked at: there it would cost more than all else.
func (h *doing) setName(name string) {
	h.mu.Lock()
	h.at.name = name
	h.mu.Unlock()
}

// clear says that the worker is idle.
func (h *doing) clear() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.busy = false
}

func (h *doing) get() (at position, busy bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.at, h.busy
}
