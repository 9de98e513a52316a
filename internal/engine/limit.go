package engine

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"sync"
	"sync/atomic"

	"psync/internal/plan"
	"psync/internal/vfs"
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

// A tally counts what is to be removed before anything is.
type tally struct {
	extraneous atomic.Int64
	total      atomic.Int64 // entries of the destination
	uncounted  atomic.Bool  // there may be more
	left       atomic.Int64 // how many may still be removed

	limit int64 // set before anything is removed

	mu    sync.Mutex        // guards what follows
	tasks map[key]task      // of the directories that removals were put off from
	ways  map[entryKey]bool // entries in whose way a directory stands
	told  map[entryKey]bool // entries of the source whose failures were told
}

// An entryKey names an entry of a directory.
type entryKey struct {
	key
	name string
}

// putsOff reports whether removals from d wait until all of them are counted, or it is
// known where links lead.
func (w *worker) putsOff(d *directory) bool {
	return w.Policy.PutsOff() && d.task.Kind == copyTask
}

// putOff leaves removals from d for later. It may be called again.
func (w *worker) putOff(d *directory) {
	t := d.task
	t.Kind, t.original, t.lineage = clearTask, d.original, nil
	w.tally.mu.Lock()
	defer w.tally.mu.Unlock()
	if w.tally.tasks == nil {
		w.tally.tasks = make(map[key]task)
	}
	w.tally.tasks[d.key()] = t
}

// putOffWay leaves for later the entry called name, for which a directory has to go.
func (w *worker) putOffWay(ctx context.Context, d *directory, name string) {
	if w.Delete.Max != nil {
		w.tally.count(ctx, w, d, vfs.Entry{Name: name, Type: fs.ModeDir})
	}
	d.waits.Store(true)
	w.tally.mu.Lock()
	defer w.tally.mu.Unlock()
	if w.tally.ways == nil {
		w.tally.ways = make(map[entryKey]bool)
	}
	w.tally.ways[entryKey{d.key(), name}] = true
}

// wasPutOff reports whether putOffWay was called for an entry.
func (t *tally) wasPutOff(d *directory, name string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.ways[entryKey{d.key(), name}]
}

// tells reports whether a failure of the source is still to be told: a directory
// whose removals were put off is looked at twice.
func (t *tally) tells(d *directory, name string) bool {
	k := entryKey{d.key(), name}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.told == nil {
		t.told = make(map[entryKey]bool)
	}
	told := t.told[k]
	t.told[k] = true
	return !told
}

// spend takes one removal from the limit, and stops the run if there is none left: a
// source may lose entries after they were counted.
func (w *worker) spend() bool {
	if w.Delete.Max == nil || w.tally.left.Add(-1) >= 0 {
		return true
	}
	w.stop(&LimitError{Limit: w.tally.limit, Exceeded: true})
	return false
}

// count counts an entry that is to be removed, and what is in it, and reports
// whether it will go: a directory in which anything is spared stays.
func (t *tally) count(ctx context.Context, w *worker, d *directory, e vfs.Entry) (goes bool) {
	if !e.Type.IsDir() {
		t.extraneous.Add(1)
		return !w.Backup.On || !w.Backup.InPlace() // or it stays there as its own backup
	}
	if ctx.Err() != nil {
		return false
	}
	dst, err := openForRemoval(d.dst, e.Name, w.Delete.CrossMounts)
	if err != nil {
		// Of these, nothing will be removed either.
		if !errors.Is(err, vfs.ErrMount) && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, fs.ErrPermission) {
			t.uncounted.Store(true)
		}
		return false
	}
	defer dst.Close()
	sub, err := w.below(d, e.Name, dst)
	if err != nil {
		t.uncounted.Store(true)
		return false
	}
	if w.mayEmpty(sub, d.destAttr.Dev) != nil {
		return false
	}
	goes = true
	var entries []vfs.Entry
	err = dst.ReadDir(func(some []vfs.Entry) error {
		t.total.Add(int64(len(some)))
		for _, e := range some {
			if w.spared(sub, e) {
				goes = false
				continue
			}
			entries = append(entries, vfs.Entry{Name: strings.Clone(e.Name), Type: e.Type})
		}
		return nil
	})
	if err != nil {
		t.uncounted.Store(true)
	}
	for _, e := range entries {
		goes = t.count(ctx, w, sub, e) && goes
	}
	if goes {
		t.extraneous.Add(1)
	}
	return goes
}

// allow returns an error if more was counted than a limit allows, or else sets how much may go.
func (t *tally) allow(most *plan.Limit) error {
	if most == nil {
		return nil
	}
	limit := most.Of(t.total.Load())
	if n := t.extraneous.Load(); n > limit || t.uncounted.Load() {
		return &LimitError{Extraneous: n, Limit: limit, Uncounted: n <= limit}
	}
	t.limit = limit
	t.left.Store(limit)
	return nil
}

// removePostponed does the removals that were put off, unless they are too many.
func (r *run) removePostponed(ctx context.Context) error {
	if len(r.tally.tasks) == 0 {
		return nil
	}
	if err := r.tally.allow(r.Delete.Max); err != nil {
		return err
	}
	for _, t := range r.tally.tasks {
		if up := t.dirs.parent; up != nil {
			up.retain()
		} else {
			t.dirs.retain()
		}
		r.pool.Put(t)
	}
	r.work(ctx)
	return nil
}
