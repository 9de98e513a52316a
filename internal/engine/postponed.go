package engine

import (
	"context"
	"io/fs"
	"sync"

	"psync/internal/vfs"
)

// postponed is what is left to do when everything is copied.
type postponed struct {
	mu       sync.Mutex        // guards what follows
	tasks    map[key]dirTask   // of the directories whose removals are postponed
	replaced map[entryKey]bool // entries that are to replace a directory
}

// putsOff reports whether removals from d wait until all of them are counted, or it is
// known where links lead.
func (w *jobWorker) putsOff(d *jobDir) bool {
	return w.Policy.PostponesRemoval() && d.task.Kind == copyTask
}

// putOff leaves removals from d for later. It may be called again.
func (w *jobWorker) putOff(d *jobDir) {
	t := d.task
	t.Kind, t.original, t.lineage = clearTask, d.original, nil
	w.postponed.mu.Lock()
	defer w.postponed.mu.Unlock()
	if w.postponed.tasks == nil {
		w.postponed.tasks = make(map[key]dirTask)
	}
	w.postponed.tasks[d.key()] = t
}

// putOffReplacing leaves for later the entry called name, for which a directory has to go.
func (w *jobWorker) putOffReplacing(ctx context.Context, d *jobDir, name string) {
	if w.Delete.Max != nil {
		w.remover.Count(ctx, w.removedFrom(d), vfs.Entry{Name: name, Type: fs.ModeDir})
	}
	d.waits.Store(true)
	w.postponed.mu.Lock()
	defer w.postponed.mu.Unlock()
	if w.postponed.replaced == nil {
		w.postponed.replaced = make(map[entryKey]bool)
	}
	w.postponed.replaced[entryKey{d.key(), name}] = true
}

// isPutOff reports whether putOffReplacing was called for an entry.
func (t *postponed) isPutOff(d *jobDir, name string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.replaced[entryKey{d.key(), name}]
}
