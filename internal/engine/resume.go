package engine

import (
	"context"

	"psync/internal/engine/entry"
	"psync/internal/engine/pairs"
)

// resumeReady continues with the directories whose hard links waited for what this worker has copied.
func (w *worker) resumeReady(ctx context.Context) {
	for a := w.entries.NextReady(); a != nil; a = w.entries.NextReady() {
		w.resume(ctx, a)
	}
}

// resume continues with a directory that waited for hard links.
func (w *worker) resume(ctx context.Context, a *entry.Awaiting) {
	dirs := a.Dir.Task.Dirs
	defer dirs.Release()
	p, side, err := dirs.Use()
	if err != nil {
		w.entries.FailAwaited(a, side, err)
		return
	}
	defer dirs.Done()
	d := a.Parent(p)
	defer d.CloseOthers()
	defer func() {
		if d.Waits.Load() {
			w.job.Postpone(&d.Dir)
		}
	}()
	w.entries.LinkAwaited(ctx, d)
	w.finishLinked(ctx, d)
}

// finishLinked finishes d when it awaits no links any more, or leaves that to the workers that it awaits.
// Nothing else but removals is pending in it.
func (w *worker) finishLinked(ctx context.Context, d *entry.Parent) {
	for d.IsAwaiting() {
		if w.entries.Await(d) {
			return
		}
		w.entries.LinkAwaited(ctx, d)
	}
	if ctx.Err() == nil {
		w.finishLast(ctx, d.DirInfo, pairs.Pair{Dst: d.Dst})
	}
}
