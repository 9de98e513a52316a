package engine

import (
	"cmp"
	"context"

	"psync/internal/engine/job"
	"psync/internal/journal"
)

// A result is what came of a task. The zero result says that nothing is left to do, except in other tasks.
type result struct {
	shared bool               // the result comes from the worker that does the last of its shared entries; see dirClaim.Then
	left   bool               // something is left to do, for another run or for a task that supersedes this one
	unseen bool               // the task was not even begun
	dir    *job.Dir           // whose account holds the task; nil: that of the task
	record *journal.Directory // of dir, whose entries were the task; nil: none
}

// resultAt returns the result of a task that is done unless ctx has ended.
func resultAt(ctx context.Context) result {
	return result{left: ctx.Err() != nil}
}

// ack acknowledges the claim of a task that a worker has carried out, if it is over.
func (r *run) ack(c *claim, res result) {
	dir, b := cmp.Or(res.dir, c.Task().dir), c.Task().Bundle
	switch {
	case res.shared:
		return
	case res.unseen:
		b.Interrupt()
		r.unseen.Add(1)
	case res.left:
		b.Interrupt()
		r.unfinishedDirs.Add(1)
	case dir != nil && r.recordsDirs():
		r.record(dir, res.record)
	}
	job.EndSteps(&r.job, dir, c.Task().Kind)
	c.Ack()
	if c.Phase() == copyPhase && b.Done(1) {
		r.stack.notify()
	}
}
