package engine

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"strings"

	"psync/internal/engine/job"
	"psync/internal/engine/mirror"
	"psync/internal/engine/pairs"
	"psync/internal/vfs"
)

// removalTask returns the task to remove a directory.
func removalTask(rm *mirror.Removal) task {
	t := task{Task: job.Task{Kind: job.Remove}, removal: rm}
	if rm.Premise != nil {
		t.dir = rm.Premise.In
		t.Bundle = t.dir.Task.Bundle
	}
	return t
}

// putRemovals puts tasks to remove the extraneous directories of c.dir, which is finished when they are gone.
func (w *worker) putRemovals(ctx context.Context, c *dirClaim) {
	c.dir.Left.AddEntries()
	up := w.run.removals.InDest(c.dir)
	for _, name := range c.removes.dirs {
		rm := up.Child(name, c.dir.DestAttr.Dev)
		rm.Premise = &mirror.Premise{Name: name, In: up.Premise.In}
		w.run.put(removalTask(rm))
	}
	w.endRemoval(ctx, up)
}

// removeDirectory removes entries of the destination: all in a directory that is removed, or those that the user has
// named.
func (w *worker) removeDirectory(ctx context.Context, of *claim) result {
	rm := of.Task().removal
	w.job.Current.Set(rm.Position())
	dst, err := rm.Use()
	c := &dirClaim{claim: of, dir: rm.Dir(dst), removes: removing{removal: rm, attempts: maxMisses}}
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) { // then there is nothing to do
			mirror.Failed(w.job, c.dir, rm.Premise, vfs.Entry{Type: fs.ModeDir}, err)
			rm.Keep()
		}
		w.endRemoval(ctx, rm)
		return resultAt(ctx)
	}
	w.shareEntries(c, &c.copied)
	share := func(entries []vfs.Entry) error { return w.share(ctx, c, entries) }
	if rm.Parent != nil {
		mirror.Empty(ctx, w.job, c.dir, rm, func(name string) { w.removeSubdirectory(c, name) }, share)
	} else {
		dirs, others := mirror.Operands(w.job, c.dir, rm, w.job.Run.Job.Sources[rm.Source].Names)
		for _, sub := range slices.Backward(dirs) {
			w.run.put(removalTask(sub))
		}
		_ = share(others) // the worker that removes the last entry sees that ctx has ended
	}
	c.list.Finish(ctx, w)
	return result{shared: true}
}

// removeSubdirectory removes a subdirectory of c.dir if it is empty and no workers are idle, since idle ones look at
// directories in parallel. Otherwise it puts a task to empty and remove it.
func (w *worker) removeSubdirectory(c *dirClaim, name string) {
	if c.removes.attempts > 0 && w.run.pool.Idle() == 0 {
		if mirror.RemoveEmptyDir(w.job, c.dir, c.removes.removal, name) {
			c.removes.attempts++
			return
		}
		c.removes.attempts--
	}
	w.run.put(removalTask(c.removes.removal.Child(strings.Clone(name), c.removes.removal.Dev)))
}

// endRemoval ends a piece of the work on a directory that is removed: its own entries, other than directories, or a
// directory in it. Once ctx has ended, it stays.
func (w *worker) endRemoval(ctx context.Context, rm *mirror.Removal) {
	if ctx.Err() != nil {
		rm.Keep()
	}
	mirror.Finish(w.job, rm, func(base *mirror.Removal) { w.finishBase(ctx, base) })
}

// finishBase finishes a directory that stays, when all removals from it are done.
func (w *worker) finishBase(ctx context.Context, rm *mirror.Removal) {
	defer rm.Close()
	if rm.Premise == nil {
		return // the user has named what is removed from it
	}
	dst, err := rm.Use()
	if err != nil {
		if ctx.Err() == nil {
			w.job.FailDir(rm.Premise.In, pairs.Dest, "", err)
		}
		return
	}
	defer rm.Done()
	w.finishLast(ctx, rm.Premise.In, pairs.Pair{Dst: dst})
}
