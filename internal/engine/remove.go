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
	"psync/internal/walk"
)

// removalTask returns the task to remove a directory.
func removalTask(rm *mirror.Removal) task {
	return task{Task: job.Task{Kind: job.Remove, Source: rm.Source}, removal: rm}
}

// putRemovals puts tasks to remove the extraneous directories of d, which is finished when they are gone.
func (w *worker) putRemovals(ctx context.Context, d *directory) {
	base := &destBase{d: d.DirInfo, dest: d.Task.Dirs.Dest()}
	base.dest.Retain()
	base.dest.Expect(d.DestAttr.ID())
	up := w.run.removals.In(base, d.Task.Source)
	up.Original = d.Original
	up.Rules = d.InForce().Dest
	d.Task.Dirs.Retain() // to check the source
	in := mirror.Of(d.Open(pairs.Pair{}))
	for _, name := range d.extraneous {
		rm := up.Child(name, d.DestAttr.Dev)
		rm.Premise = &mirror.Premise{Name: name, In: in}
		d.claim.Put(removalTask(rm))
	}
	mirror.Finish(w.job, up, w.finishBase(ctx))
}

// A removedDir is a directory whose entries are removed, either because the directory itself is removed or because
// the user has named them. It is the work of its list.
type removedDir struct {
	*mirror.Dir
	removal *mirror.Removal
	claim   *claim
	list    *sharedEntries

	attempts int // how many other subdirectories may be tried that are not empty
}

// removeDirectory empties one directory of the destination.
func (w *worker) removeDirectory(ctx context.Context, c *claim) {
	rm := c.Task().removal
	w.job.Current.Set(rm.Position())
	dst, err := rm.Use()
	d := &removedDir{Dir: mirror.DirOf(rm, dst), removal: rm, claim: c, attempts: mostMisses}
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) { // then there is nothing to do
			mirror.Failed(w.job, d.Dir, vfs.Entry{Type: fs.ModeDir}, err)
			rm.Keep()
		}
		mirror.Finish(w.job, rm, w.finishBase(ctx))
		c.Ack()
		return
	}
	d.list = walk.NewSharedEntries(w.run.pool, d)
	share := func(entries []vfs.Entry) error {
		return w.shareList(ctx, d.list, d.DstVolume != nil && d.DstVolume.Network, entries)
	}
	if rm.Parent != nil {
		mirror.Empty(ctx, w.job, d.Dir, rm, func(name string) { w.removeSubdirectory(d, name) }, share)
	} else {
		dirs, others := mirror.Operands(w.job, d.Dir, rm, w.job.Run.Sources[rm.Source].Names)
		for _, sub := range slices.Backward(dirs) {
			c.Put(removalTask(sub))
		}
		_ = share(others) // the worker that removes the last entry sees that ctx has ended
	}
	d.list.Finish(ctx, w)
}

// removeSubdirectory removes a subdirectory of d if it is empty and no workers are idle, since idle ones look at
// directories in parallel. Otherwise it puts a task to empty and remove it.
func (w *worker) removeSubdirectory(d *removedDir, name string) {
	if d.attempts > 0 && w.run.pool.Idle() == 0 {
		if mirror.RemoveEmptyDir(w.job, d.Dir, name) {
			d.attempts++
			return
		}
		d.attempts--
	}
	d.claim.Put(removalTask(d.removal.Child(strings.Clone(name), d.removal.Dev)))
}

func (d *removedDir) Begin(w *worker) { w.job.Current.Set(d.removal.Position()) }

func (d *removedDir) Do(ctx context.Context, w *worker, e vfs.Entry) {
	if ctx.Err() == nil && !mirror.RemoveEntry(ctx, w.job, d.Dir, e) {
		d.removal.Keep()
	}
}

func (d *removedDir) Then(ctx context.Context, w *worker) {
	d.CloseOthers()
	d.removal.Done()
	if ctx.Err() == nil {
		mirror.Finish(w.job, d.removal, w.finishBase(ctx))
	}
	d.claim.Ack()
}

// finishBase returns a function that finishes a directory that stays, when all removals from it are done.
func (w *worker) finishBase(ctx context.Context) func(*mirror.Removal) {
	return func(rm *mirror.Removal) {
		defer rm.Close()
		base, ok := rm.Base.(*destBase)
		if !ok {
			return // the user has named what is removed from it
		}
		dst, err := rm.Use()
		if err != nil {
			w.job.FailDir(base.d.Open(pairs.Pair{}), pairs.Dest, "", err)
			return
		}
		defer rm.Done()
		w.finishLast(ctx, base.d, pairs.Pair{Dst: dst})
	}
}
