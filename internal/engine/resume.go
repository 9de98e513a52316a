package engine

import (
	"context"

	"psync/internal/engine/entry"
	"psync/internal/engine/job"
	"psync/internal/engine/pairs"
)

// resumeReady continues with the directories whose hard links waited for files that this worker has copied.
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
	d := a.Dir.Open(p)
	defer d.CloseOthers()
	w.finishLinked(ctx, d, w.entries.LinkAwaited(ctx, d, a.Links))
}

// finishLinked finishes d when no more links in it are awaited, or leaves that to the workers that the links wait
// for. Only removals may also be pending in d.
func (w *worker) finishLinked(ctx context.Context, d *job.Dir, links []*entry.AwaitedLink) {
	for len(links) > 0 {
		if w.entries.Await(d, links) {
			return
		}
		links = w.entries.LinkAwaited(ctx, d, links)
	}
	if ctx.Err() == nil {
		w.finishLast(ctx, d.DirInfo, pairs.Pair{Dst: d.Dst})
	}
}
