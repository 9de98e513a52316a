package engine

import (
	"cmp"
	"context"
	"strings"
	"sync"

	"psync/internal/engine/backup"
	"psync/internal/engine/entry"
	"psync/internal/engine/job"
	"psync/internal/engine/mirror"
	"psync/internal/journal"
	"psync/internal/walk"
)

// The phases of a run; see [walk.Pool].
const (
	copyPhase   = iota << 16 // names of files that others copy are linked in the next phases
	placePhase               // delayed files get their names
	removePhase              // deferred removals are carried out
	endPhase                 // nothing more happens to entries

	lastPhase = 1 << 30       // of roots, see lastPhaseOf
	syncPhase = lastPhase + 1 // the destination is complete; copied entries are removed from the sources
)

// lastPhaseOf returns the phase in which deferred operations are applied to what has this path in its tree: the deepest
// come first.
func lastPhaseOf(path string) int {
	if path == "" {
		return lastPhase
	}
	return lastPhase - 1 - strings.Count(path, "/")
}

// A task is to process one directory, or to do work that came up there. It holds no open handle.
type task struct {
	job.Task
	dir      *job.Dir             // whose account holds the task; nil: none, or that which is made when the task begins
	links    []*entry.AwaitedLink // what to link
	removal  *mirror.Removal      // what to remove
	deferral *job.Deferral        // what to apply
	backup   *backup.DirAttrs     // likewise
	copied   *entry.CopiedList    // what to remove from the source
}

// deliverBy returns a function for [walk.Pool.DeliverBy] that lets deliver decide. Only tasks to process directories get
// lost or are delivered again: queues that hosts share never hold others, because anyone able to add a task that removes
// something could have anything removed.
func deliverBy(deliver func(waiting int) walk.Delivery) func(int, func(int) task) walk.Delivery {
	return func(waiting int, task func(int) task) walk.Delivery {
		d := deliver(waiting)
		if k := task(d.Index).Kind; k != job.Copy && k != job.Clear {
			d.Lost, d.Again = false, false
		}
		return d
	}
}

// again returns the task for a repeated delivery. By then the destination may hold anything.
func (t task) again() task {
	t.New, t.DefaultACL, t.MadeIn = false, false, nil
	t.Dirs.Reenter()
	return t
}

type claim = walk.Claim[task]

// work runs the workers until no task is left or ctx is done.
func (r *run) work(ctx context.Context) {
	if r.job.Job.Auto {
		ctx, stop := context.WithCancel(ctx)
		var steering sync.WaitGroup
		steering.Go(func() { r.steer(ctx) })
		defer steering.Wait()
		defer stop()
	}
	r.pool.Run(ctx)
}

// put puts a task, which the account of its directory holds until it is acknowledged.
func (r *run) put(t task) {
	if t.dir != nil {
		t.dir.Left.AddTask()
	}
	r.pool.Put(t)
}

// putLater is put for a task of the n-th phase.
func (r *run) putLater(n int, t task) {
	if t.dir != nil {
		t.dir.Left.AddTask()
	}
	r.pool.PutLater(n, t)
}

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
	dir := cmp.Or(res.dir, c.Task().dir)
	switch {
	case res.shared:
		return
	case res.unseen:
		r.unseen.Add(1)
	case res.left:
		r.unfinishedDirs.Add(1)
	case dir != nil && r.recordsDirs():
		r.record(dir, res.record)
	}
	c.Ack()
}

// do carries out a task. Once ctx has ended, it only does what must be done nevertheless.
func (r *run) do(ctx context.Context, w *worker, c *claim) result {
	t := c.Task()
	if c.Attempt() > 1 {
		t = t.again()
	}
	switch {
	case t.Kind > job.Remove:
		return r.doAlone(ctx, w, c)
	case ctx.Err() != nil && t.Kind == job.Remove:
		w.endRemoval(ctx, t.removal)
		return result{left: true, unseen: true}
	case ctx.Err() != nil:
		return result{left: true, unseen: t.Kind == job.Copy} // others were looked into
	case t.Kind == job.Remove:
		return w.removeDirectory(ctx, c)
	case t.Kind == job.Clear && r.approve() != nil:
		return result{left: true}
	}
	return w.directory(ctx, c, t.Task)
}

// doAlone carries out a task of which other workers do no part.
func (r *run) doAlone(ctx context.Context, w *worker, c *claim) result {
	t := c.Task()
	switch t.Kind {
	case job.Link:
		w.link(ctx, c)
		return resultAt(ctx)
	case job.Place:
		ctx = r.inHand(ctx)
		w.entries.PutDelayedInPlace(ctx, t.dir)
		return resultAt(ctx)
	case job.End:
		r.endEntries(ctx, w)
	case job.Apply:
		switch {
		case t.backup != nil:
			applyToBackup(w.job, t.backup)
		case r.isSuperseded(t.deferral):
			return result{left: true}
		default:
			applyDeferred(w.job, t.deferral)
		}
	case job.Sync:
		r.syncAndRemoveSources(ctx, w)
	case job.RemoveCopied:
		return result{left: !w.entries.RemoveCopied(r.inHand(ctx), t.copied)}
	}
	return result{}
}
