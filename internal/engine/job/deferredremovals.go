package job

import (
	"sync"
)

// deferredRemovals holds the removals that are left until everything is copied.
type deferredRemovals struct {
	replaced Set[entryKey] // entries that will replace a directory

	mu    sync.Mutex   // guards tasks
	tasks map[Key]Task // of the directories with deferred removals
}

// DefersRemovals reports whether removals from d wait until all removals are counted, or until it is known where links
// lead.
func (r *Run) DefersRemovals(d *Dir) bool {
	return r.Policy.DefersRemoval() && d.Task.Kind == Copy
}

// DeferRemovals defers removals from d. It may be called again.
func (r *Run) DeferRemovals(d *Dir) {
	d.Waits.Store(true)
	t := d.Task
	t.Kind, t.Original, t.Lineage, t.Rules = Clear, d.Original, nil, d.Rules
	r.deferredRemovals.mu.Lock()
	defer r.deferredRemovals.mu.Unlock()
	if r.deferredRemovals.tasks == nil {
		r.deferredRemovals.tasks = make(map[Key]Task)
	}
	r.deferredRemovals.tasks[d.Key()] = t
}

// DeferredRemovals returns a task for each directory with deferred removals.
func (r *Run) DeferredRemovals() map[Key]Task { return r.deferredRemovals.tasks }

// DeferReplacing defers the entry called name, which replaces a directory.
func (r *Run) DeferReplacing(d *Dir, name string) {
	r.DeferRemovals(d)
	r.deferredRemovals.replaced.Add(entryKey{d.Key(), name})
}

// IsDeferred reports whether DeferReplacing deferred an entry.
func (r *Run) IsDeferred(d *Dir, name string) bool {
	return r.deferredRemovals.replaced.Has(entryKey{d.Key(), name})
}
