package engine

import (
	"context"

	"psync/internal/engine/dirs"
	"psync/internal/journal"
)

// copy copies a directory that this run has not found itself.
func (s *sharedStack) copy(ctx context.Context, w *worker, c *claim) result {
	t := c.Task().Task
	root, ok := s.roots[t.Source]
	switch {
	case s.leftOut[t.Source]:
		return result{}
	case !ok: // which was reported
		s.job.Job.Journal.Directory(&journal.Directory{ID: s.rootID(t.Source), Failed: 1, Repeated: t.Bundle.Repeated})
		return result{}
	}
	root.Bundle, root.New = t.Bundle, false
	t, side, err := dirs.Descend(w.job, root, t.Path)
	if err == nil {
		return w.directory(ctx, c, t)
	}
	failed := &dirClaim{claim: c, dir: s.job.NewDir(t)}
	failed.dir.Left.AddTask(t.Kind)
	dirs.FailToEnter(w.job, failed.dir, side, err)
	t.Dirs.Cancel()
	return s.resultOf(ctx, failed)
}
