package job

import (
	"context"
	"io/fs"
	"sync"

	"psync/internal/vfs"
)

// postponed is what is left to do when everything is copied.
type postponed struct {
	mu       sync.Mutex        // guards what follows
	tasks    map[Key]Task      // of the directories whose removals are postponed
	replaced map[entryKey]bool // entries that are to replace a directory
}

// Postpones reports whether removals from d wait until all of them are counted, or it is
// known where links lead.
func (w *Worker) Postpones(d *Dir) bool {
	return w.Policy.DefersRemoval() && d.Task.Kind == Copy
}

// Postpone leaves removals from d for later. It may be called again.
func (w *Worker) Postpone(d *Dir) {
	t := d.Task
	t.Kind, t.Original, t.Lineage, t.Rules = Clear, d.Original, nil, d.Rules
	w.postponed.mu.Lock()
	defer w.postponed.mu.Unlock()
	if w.postponed.tasks == nil {
		w.postponed.tasks = make(map[Key]Task)
	}
	w.postponed.tasks[d.Key()] = t
}

// PostponedTasks returns a task for each directory from which removals were postponed.
func (r *Run) PostponedTasks() map[Key]Task { return r.postponed.tasks }

// PostponeReplacing leaves for later the entry called name, for which a directory has to go.
func (w *Worker) PostponeReplacing(ctx context.Context, d *Dir, name string) {
	if w.Delete.Max != nil {
		w.Remover.Count(ctx, w.MirrorDir(d), vfs.Entry{Name: name, Type: fs.ModeDir})
	}
	d.Waits.Store(true)
	w.postponed.mu.Lock()
	defer w.postponed.mu.Unlock()
	if w.postponed.replaced == nil {
		w.postponed.replaced = make(map[entryKey]bool)
	}
	w.postponed.replaced[entryKey{d.Key(), name}] = true
}

// IsPostponed reports whether an entry was left by PostponeReplacing.
func (w *Worker) IsPostponed(d *Dir, name string) bool {
	w.postponed.mu.Lock()
	defer w.postponed.mu.Unlock()
	return w.postponed.replaced[entryKey{d.Key(), name}]
}
