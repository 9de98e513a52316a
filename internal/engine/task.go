package engine

import (
	"context"
	"strings"
	"sync"

	"psync/internal/engine/backup"
	"psync/internal/engine/entry"
	"psync/internal/engine/job"
	"psync/internal/engine/mirror"
	"psync/internal/walk"
)

// The phases of a run; see [walk.Pool].
const (
	copyPhase   = iota << 16 // names of files that others copy are linked in the next phases
	placePhase               // delayed files get their names
	removePhase              // deferred removals are carried out
	endPhase                 // nothing more happens to entries

	lastPhase = 1 << 30 // of roots, see lastPhaseOf
	syncPhase = lastPhase + 1
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
	dir      *job.DirInfo         // in which something is left to do, unless the Task is to copy or clear one
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

// do carries out a task. Once ctx has ended, it only does what must be done nevertheless.
func (r *run) do(ctx context.Context, w *worker, c *claim) {
	t := c.Task()
	if c.Attempt() > 1 {
		t = t.again()
	}
	switch {
	case t.Kind == job.Place:
		w.entries.PutDelayedInPlace(r.inHand(ctx), t.dir)
		r.job.EndWork(r.inHand(ctx), t.dir)
		c.Ack()
	case t.Kind == job.Link:
		w.link(ctx, c)
		r.job.EndWork(ctx, t.dir)
		c.Ack()
	case t.Kind == job.End:
		r.endEntries(ctx, w)
		c.Ack()
	case t.Kind == job.Apply && t.backup != nil:
		applyToBackup(w.job, t.backup)
		c.Ack()
	case t.Kind == job.Apply:
		r.applyDeferred(w, t.deferral)
		c.Ack()
	case t.Kind == job.Sync:
		r.syncAndRemoveSources(ctx, w)
		c.Ack()
	case t.Kind == job.RemoveCopied:
		if w.entries.RemoveCopied(r.inHand(ctx), t.copied) && t.dir != nil {
			r.job.EndWork(r.inHand(ctx), t.dir)
		}
		c.Ack()
	case ctx.Err() != nil:
		w.skip(ctx, c)
	case t.Kind == job.Remove:
		w.removeDirectory(ctx, c)
	case t.Kind == job.Clear && r.approve() != nil:
		c.Ack()
	default:
		w.directory(ctx, c, t.Task)
	}
}

// skip acknowledges a task that the run does not get to.
func (w *worker) skip(ctx context.Context, c *claim) {
	t := c.Task()
	if t.Kind == job.Clear {
		w.run.unfinishedDirs.Add(1) // it was looked into
	} else {
		w.run.unseen.Add(1)
	}
	if t.Kind == job.Remove {
		w.endRemoval(ctx, t.removal)
	}
	c.Ack()
}
