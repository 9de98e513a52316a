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
		t.dir = rm.Premise.In.DirInfo
	}
	return t
}

// putRemovals puts tasks to remove the extraneous directories of d, which is finished when they are gone.
func (w *worker) putRemovals(ctx context.Context, d *directory) {
	d.Left.AddEntries()
	up := w.run.removals.InDest(d.DirInfo)
	for _, name := range d.removes.dirs {
		rm := up.Child(name, d.DestAttr.Dev)
		rm.Premise = &mirror.Premise{Name: name, In: up.Premise.In}
		w.run.put(removalTask(rm))
	}
	w.endRemoval(ctx, up)
}

// removeDirectory removes entries of the destination: all in a directory that is removed, or those that the user has
// named.
func (w *worker) removeDirectory(ctx context.Context, c *claim) result {
	rm := c.Task().removal
	w.job.Current.Set(rm.Position())
	dst, err := rm.Use()
	d := newDirectory(rm.Info(), pairs.Pair{Dst: dst})
	d.claim, d.removes.removal, d.removes.attempts = c, rm, mostMisses
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) { // then there is nothing to do
			mirror.Failed(w.job, &d.Dir, rm.Premise, vfs.Entry{Type: fs.ModeDir}, err)
			rm.Keep()
		}
		w.endRemoval(ctx, rm)
		return resultAt(ctx)
	}
	w.shareEntries(d, &d.copied)
	share := func(entries []vfs.Entry) error { return w.share(ctx, d, entries) }
	if rm.Parent != nil {
		mirror.Empty(ctx, w.job, &d.Dir, rm, func(name string) { w.removeSubdirectory(d, name) }, share)
	} else {
		dirs, others := mirror.Operands(w.job, &d.Dir, rm, w.job.Run.Job.Sources[rm.Source].Names)
		for _, sub := range slices.Backward(dirs) {
			w.run.put(removalTask(sub))
		}
		_ = share(others) // the worker that removes the last entry sees that ctx has ended
	}
	d.list.Finish(ctx, w)
	return result{shared: true}
}

// removeSubdirectory removes a subdirectory of d if it is empty and no workers are idle, since idle ones look at
// directories in parallel. Otherwise it puts a task to empty and remove it.
func (w *worker) removeSubdirectory(d *directory, name string) {
	if d.removes.attempts > 0 && w.run.pool.Idle() == 0 {
		if mirror.RemoveEmptyDir(w.job, &d.Dir, d.removes.removal, name) {
			d.removes.attempts++
			return
		}
		d.removes.attempts--
	}
	w.run.put(removalTask(d.removes.removal.Child(strings.Clone(name), d.removes.removal.Dev)))
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
	w.finishLast(ctx, rm.Premise.In.DirInfo.Open(pairs.Pair{Dst: dst}))
}
