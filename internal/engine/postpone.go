package engine

import (
	"context"
	"io/fs"

	"psync/internal/vfs"
)

// putOffReplacing leaves for later the entry called name, for which a directory has to go.
func (w *worker) putOffReplacing(ctx context.Context, d *directory, name string) {
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
