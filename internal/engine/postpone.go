package engine

import (
	"context"
	"io/fs"

	"psync/internal/engine/mirror"
	"psync/internal/engine/sweep"
	"psync/internal/vfs"
)

// putOffReplacing leaves for later the entry called name, for which a directory has to go.
func (w *worker) putOffReplacing(ctx context.Context, d *directory, name string) {
	if w.Delete.Max != nil {
		w.countRemovals(ctx, d, []vfs.Entry{{Name: name, Type: fs.ModeDir}})
	}
	d.waits.Store(true)
	w.postponed.mu.Lock()
	defer w.postponed.mu.Unlock()
	if w.postponed.replaced == nil {
		w.postponed.replaced = make(map[entryKey]bool)
	}
	w.postponed.replaced[entryKey{d.key(), name}] = true
}

// countRemovals counts entries of the destination of d that are to be removed later.
func (w *worker) countRemovals(ctx context.Context, d *directory, entries []vfs.Entry) {
	at := w.cleared(d)
	c := mirror.Counter{Guard: &w.guard, Budget: &w.budget, Left: func(in *mirror.Dir, t sweep.Temporary) {
		w.reportTemporary(in.Dir, key{d.task.Source, in.Path()}, t)
	}}
	for _, e := range entries {
		c.Count(ctx, &at, e)
	}
}
