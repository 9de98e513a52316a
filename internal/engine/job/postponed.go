package job

import (
	"context"
	"io/fs"
	"sync"

	"psync/internal/vfs"
)

// postponed holds the work that is left until everything is copied.
type postponed struct {
	replaced Set[entryKey] // entries that will replace a directory

	mu    sync.Mutex   // guards tasks
	tasks map[Key]Task // of the directories with postponed removals
}

// Postpones reports whether removals from d wait until all removals are counted, or until it is known where links
// lead.
func (r *Run) Postpones(d *Dir) bool {
	return r.Policy.DefersRemoval() && d.Task.Kind == Copy
}

// Postpone postpones removals from d. It may be called again.
func (r *Run) Postpone(d *Dir) {
	d.Waits.Store(true)
	t := d.Task
	t.Kind, t.Original, t.Lineage, t.Rules = Clear, d.Original, nil, d.Rules
	r.postponed.mu.Lock()
	defer r.postponed.mu.Unlock()
	if r.postponed.tasks == nil {
		r.postponed.tasks = make(map[Key]Task)
	}
	r.postponed.tasks[d.Key()] = t
}

// PostponedTasks returns a task for each directory with postponed removals.
func (r *Run) PostponedTasks() map[Key]Task { return r.postponed.tasks }

// PostponeReplacing postpones the entry called name, which replaces a directory.
func (w *Worker) PostponeReplacing(ctx context.Context, d *Dir, name string) {
	if w.Run.Delete.Max != nil {
		w.Remover.Count(ctx, w.Run.MirrorDir(d), vfs.Entry{Name: name, Type: fs.ModeDir})
	}
	w.Run.Postpone(d)
	w.Run.postponed.replaced.Add(entryKey{d.Key(), name})
}

// IsPostponed reports whether PostponeReplacing postponed an entry.
func (r *Run) IsPostponed(d *Dir, name string) bool {
	return r.postponed.replaced.Has(entryKey{d.Key(), name})
}
