package report

import "sync"

// An Activity knows what the workers of a run have in hand, for those who want to know
// while it goes on. The zero value is ready for use, by one run.
type Activity struct {
	mu      sync.Mutex // guards what follows
	labels  []string   // of the sources
	workers []*WorkerActivity
	waiting func() int
}

// CountWaiting has waiting say how many directories no worker has begun with.
func (a *Activity) CountWaiting(waiting func() int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.waiting = waiting
}

// Waiting returns how many directories no worker has begun with.
func (a *Activity) Waiting() int {
	a.mu.Lock()
	waiting := a.waiting
	a.mu.Unlock()
	if waiting == nil {
		return 0
	}
	return waiting()
}

// Busy returns how many workers have something in hand.
func (a *Activity) Busy() (n int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, w := range a.workers {
		if _, busy := w.Get(); busy {
			n++
		}
	}
	return n
}

// Paths returns the entry, or the directory, that each busy worker has in hand.
func (a *Activity) Paths() []string {
	a.mu.Lock()
	defer a.mu.Unlock()
	var paths []string
	for _, w := range a.workers {
		if at, busy := w.Get(); busy {
			paths = append(paths, Event{Root: a.labels[at.Source], Dir: at.Path()}.Path())
		}
	}
	return paths
}

// AddSource adds the label of one more source. Positions name sources by their index.
func (a *Activity) AddSource(label string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.labels = append(a.labels, label)
}

// AddWorker returns the activity of one more worker.
func (a *Activity) AddWorker() *WorkerActivity {
	a.mu.Lock()
	defer a.mu.Unlock()
	w := new(WorkerActivity)
	a.workers = append(a.workers, w)
	return w
}

// A WorkerActivity says what a worker has in hand. Setting it takes some nanoseconds.
type WorkerActivity struct {
	mu   sync.Mutex // guards what follows
	at   Position
	busy bool
}

// A Position is a directory of a source, or the entry with a name in it.
type Position struct {
	Source int
	Dir    string // relative to the source, slash-separated
	// DirPath returns Dir, if that is too costly to compute in advance; or it is nil.
	DirPath interface{ Path() string }
	Name    string // "" for the directory itself
}

// Path returns the path of the directory or entry, relative to the source.
func (p Position) Path() string {
	dir := p.Dir
	if p.DirPath != nil {
		dir = p.DirPath.Path()
	}
	if dir == "" || p.Name == "" {
		return dir + p.Name
	}
	return dir + "/" + p.Name
}

// Set says that the worker has something in hand.
func (w *WorkerActivity) Set(at Position) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.at, w.busy = at, true
}

// SetName says which entry of its directory the worker has in hand, or none if name is "". It is
// not called for entries that are only looked at: there it would cost more than all else.
func (w *WorkerActivity) SetName(name string) {
	w.mu.Lock()
	w.at.Name = name
	w.mu.Unlock()
}

// Clear says that the worker is idle.
func (w *WorkerActivity) Clear() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.busy = false
}

// Get returns what the worker has in hand, and whether it has anything.
func (w *WorkerActivity) Get() (at Position, busy bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.at, w.busy
}
