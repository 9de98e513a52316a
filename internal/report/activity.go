package report

import (
	"slices"
	"sync"
	"sync/atomic"
)

// An Activity holds what the workers of a run are working on, for display during the
// run. The zero value is ready to use, by one run.
type Activity struct {
	mu      sync.Mutex // guards what follows
	labels  []string   // of the sources
	workers []*WorkerActivity
	waiting func() int
}

// CountWaiting sets the function that returns how many directories no worker has
// started on.
func (a *Activity) CountWaiting(waiting func() int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.waiting = waiting
}

// Waiting returns how many directories no worker has started on.
func (a *Activity) Waiting() int {
	a.mu.Lock()
	waiting := a.waiting
	a.mu.Unlock()
	if waiting == nil {
		return 0
	}
	return waiting()
}

// Busy returns how many workers are not idle.
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

// Paths returns the entry, or the directory, that each busy worker is working on.
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

// An InHand is a file whose bytes are being copied.
type InHand struct {
	Path     string
	Transfer *Transfer
}

// Transfers returns the large files whose bytes are being copied.
func (a *Activity) Transfers() []InHand {
	a.mu.Lock()
	defer a.mu.Unlock()
	var files []InHand
	for _, w := range a.workers {
		at, busy := w.Get()
		if busy && at.File != nil && !slices.ContainsFunc(files, func(f InHand) bool { return f.Transfer == at.File }) {
			files = append(files, InHand{Event{Root: a.labels[at.Source], Dir: at.Path()}.Path(), at.File})
		}
	}
	return files
}

// A Transfer counts the bytes of one file that were copied. Several workers may add to it.
type Transfer struct {
	Size int64
	done atomic.Int64
}

// Add adds n, which may be negative, to the bytes that were copied.
func (t *Transfer) Add(n int64) { t.done.Add(n) }

// Done returns how many bytes were copied.
func (t *Transfer) Done() int64 { return t.done.Load() }

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

// A WorkerActivity holds what a worker is working on. Setting it takes a few
// nanoseconds.
type WorkerActivity struct {
	mu   sync.Mutex // guards what follows
	at   Position
	busy bool
}

// A Position is a directory of a source, or an entry of that directory.
type Position struct {
	Source int
	Dir    string // relative to the source, slash-separated
	// DirPath, if not nil, returns what Dir would be if it were not too costly to
	// compute in advance.
	DirPath interface{ Path() string }
	Name    string    // "" for the directory itself
	File    *Transfer // not nil while the bytes of a large file are copied
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

// Set records that the worker is working on at.
func (w *WorkerActivity) Set(at Position) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.at, w.busy = at, true
}

// SetName records which entry of its directory the worker is working on; "" means none. It is
// not called for entries that are only looked at, because it would cost more than the rest of
// the work.
func (w *WorkerActivity) SetName(name string) {
	w.mu.Lock()
	w.at.Name, w.at.File = name, nil
	w.mu.Unlock()
}

// BeginTransfer records that the bytes of a large file are copied from now on.
func (w *WorkerActivity) BeginTransfer(size int64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.at.File = &Transfer{Size: size}
}

// AddBytes records that n more bytes were copied.
func (w *WorkerActivity) AddBytes(n int64) {
	if f := w.at.File; f != nil { // only the worker itself changes it
		f.Add(n)
	}
}

// Clear records that the worker is idle.
func (w *WorkerActivity) Clear() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.busy = false
}

// Get returns what the worker is working on. busy is false if the worker is idle.
func (w *WorkerActivity) Get() (at Position, busy bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.at, w.busy
}
