package engine

import (
	"context"

	"psync/internal/engine/entry"
	"psync/internal/engine/job"
)

// putLinks puts a task to make links in d when no worker copies any more what they lead to.
func (r *run) putLinks(c *claim, d *job.Dir, links []*entry.AwaitedLink) {
	d.Left.AddEntries()
	d.Task.Dirs.Retain()
	r.putLater(c.Phase()+1, task{Task: job.Task{Kind: job.Link}, dir: d, links: links})
}

// link makes links in a directory, unless other workers now copy what they lead to.
func (w *worker) link(ctx context.Context, c *claim) {
	t := c.Task()
	w.job.Current.Set(t.dir.Position(""))
	dirs := t.dir.Task.Dirs
	defer dirs.Release()
	if ctx.Err() != nil && !job.HasAccessToRevoke(t.dir) {
		t.dir.Left.EndEntries()
		return // and open nothing, since there may be many
	}
	p, side, err := dirs.Use()
	if err != nil {
		if ctx.Err() == nil {
			w.entries.FailAwaited(t.dir, t.links, side, err)
		}
		w.finishUnopened(ctx, t.dir)
		return
	}
	defer dirs.Done()
	rest := w.entries.LinkAwaited(ctx, t.dir.Open(p), t.links)
	t.dir.Close()
	if ctx.Err() == nil && len(rest) > 0 {
		w.run.putLinks(c, t.dir, rest)
	}
	w.finishLast(ctx, t.dir, p)
}
