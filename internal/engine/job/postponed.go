package job

import (
	"context"
	"io/fs"
	"sync"

	"psync/internal/vfs"
)

// postponed holds the work that is left until everything is copied.
type postponed struct {
	mu       sync.Mutex        // guards the fields below
	tasks    map[Key]Task      // of the directories with postponed removals
	replaced map[entryKey]bool // entries that will replace a directory
}

// Postpones reports whether removals from d wait until all removals are counted, or until it is known where links
// lead.
func (w *Worker) Postpones(d *Dir) bool {
	return w.Policy.DefersRemoval() && d.Task.Kind == Copy
}

// Postpone postpones removals from d. It may be called again.
func (w *Worker) Postpone(d *Dir) {
	d.Waits.Store(true)
	t := d.Task
	t.Kind, t.Original, t.Lineage, t.Rules = Clear, d.Original, nil, d.Rules
	w.postponed.mu.Lock()
	defer w.postponed.mu.Unlock()
	if w.postponed.tasks == nil {
		w.postponed.tasks = make(map[Key]Task)
	}
	w.postponed.tasks[d.Key()] = t
}

// PostponedTasks returns a task for each directory with postponed removals.
func (r *Run) PostponedTasks() map[Key]Task { return r.postponed.tasks }

// PostponeReplacing postpones the entry called name, which replaces a directory.
func (w *Worker) PostponeReplacing(ctx context.Context, d *Dir, name string) {
	if w.Delete.Max != nil {
		w.Remover.Count(ctx, w.MirrorDir(d), vfs.Entry{Name: name, Type: fs.ModeDir})
	}
	w.Postpone(d)
	w.postponed.mu.Lock()
	defer w.postponed.mu.Unlock()
	if w.postponed.replaced == nil {
		w.postponed.replaced = make(map[entryKey]bool)
	}
	w.postponed.replaced[entryKey{d.Key(), name}] = true
}

// IsPostponed reports whether PostponeReplacing postponed an entry.
func (w *Worker) IsPostponed(d *Dir, name string) bool {
	w.postponed.mu.Lock()
	defer w.postponed.mu.Unlock()
	return w.postponed.replaced[entryKey{d.Key(), name}]
}
