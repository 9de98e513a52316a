package engine

import "sync"

// postponed is what is left to do when everything is copied.
type postponed struct {
	mu       sync.Mutex        // guards what follows
	tasks    map[key]task      // of the directories whose removals are postponed
	replaced map[entryKey]bool // entries that are to replace a directory
}

// putsOff reports whether removals from d wait until all of them are counted, or it is
// known where links lead.
func (w *worker) putsOff(d *directory) bool {
	return w.Policy.PostponesRemoval() && d.task.Kind == copyTask
}

// putOff leaves removals from d for later. It may be called again.
func (w *worker) putOff(d *directory) {
	t := d.task
	t.Kind, t.original, t.lineage = clearTask, d.original, nil
	w.postponed.mu.Lock()
	defer w.postponed.mu.Unlock()
	if w.postponed.tasks == nil {
		w.postponed.tasks = make(map[key]task)
	}
	w.postponed.tasks[d.key()] = t
}

// isPutOff reports whether putOffReplacing was called for an entry.
func (t *postponed) isPutOff(d *directory, name string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.replaced[entryKey{d.key(), name}]
}
