package engine

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"

	"psync/internal/engine/alias"
	"psync/internal/engine/dirnames"
	"psync/internal/engine/dirs"
	"psync/internal/engine/entry"
	"psync/internal/engine/job"
	"psync/internal/engine/mirror"
	"psync/internal/engine/pairs"
	"psync/internal/report"
	"psync/internal/vfs"
)

// A directory is a pair of directories whose entries are processed by one worker or several.
type directory struct {
	job.Dir
	untried atomic.Bool // one call may be enough for each of the shared entries

	mu      sync.Mutex           // guards awaited
	awaited []*entry.AwaitedLink // names that become links to what other workers copy

	// The worker that processes the entries owns the fields below.
	claim    *claim
	list     *sharedEntries   // the entries being copied or removed at the moment
	copied   sharedEntries    // the entries to copy
	listed   bool             // the source has entries, whether or not they take part
	unlisted error            // why the source was not listed to its end
	names    *dirnames.Set    // of the source's entries; extraneous ones in the destination are removed
	deferred []alias.Deferred // entries to copy after all others
	removes  removing

	recorded recordedEntries // for the journal
}

// removing is what is removed from the destination of a directory.
type removing struct {
	on    bool          // the list holds entries that the source lacks
	asker *mirror.Asker // of the source, about them; may be nil
	dirs  []string      // that the source lacks

	// removal is that of the directory itself, or of entries in it that the user has named; otherwise it is nil.
	removal  *mirror.Removal
	attempts int // how many other subdirectories may be tried that are not empty
}

// directory copies the entries of one directory, removes those of the destination that the source lacks, and sets the
// directory's attributes.
func (w *worker) directory(ctx context.Context, c *claim, t job.Task) result {
	d := newDirectory(w.job.Run.InfoOf(t), pairs.Pair{})
	d.Left.AddEntries()
	d.Left.AddTask()
	if first := c.Task().dir; first != nil {
		d.Left.Hold(first)
	}
	d.claim = c
	w.job.Current.Set(d.Position(""))
	d.Lineage, d.Original = t.Lineage, t.Original
	p, side, err := t.Dirs.Enter()
	if err != nil {
		dirs.FailToEnter(w.job, &d.Dir, side, err)
		if side == pairs.Source {
			w.finishUnreadable(d)
		}
		return w.run.resultOf(ctx, d)
	}
	d.Pair = p
	d.Found = d.ClosedMode // or 0
	if side, err = dirs.Inspect(w.job, &d.Dir); err == nil {
		side, err = readRules(w.job, &d.Dir)
	}
	if err != nil {
		dirs.FailToEnter(w.job, &d.Dir, side, err)
		w.job.Run.RevokeAccess(&d.Dir)
		return w.run.leaveDirectory(ctx, d)
	}
	passThrough(w.job, d)
	if w.removesFrom(d) {
		d.names = new(dirnames.Set)
		if d.DstVolume.Folds {
			d.Relisting = new(job.Relisting)
		}
	}
	w.run.rootSweep.Sweep(w.job, &d.Dir, d.names != nil)
	w.shareEntries(d, &d.copied)
	d.unlisted = w.copyEntries(ctx, d)
	if !d.Late.Made() {
		w.job.Run.RevokeAccess(&d.Dir)
		return w.run.leaveDirectory(ctx, d)
	}
	d.list.Finish(ctx, w)
	return result{shared: true}
}

// leaveDirectory closes d and returns the result of its task.
func (r *run) leaveDirectory(ctx context.Context, d *directory) result {
	d.CloseOthers()
	d.Had.Forget()
	if d.Delayed != nil {
		d.Task.Dirs.Retain()
		r.putLater(placePhase, task{Task: job.Task{Kind: job.Place}, dir: d.DirInfo})
	}
	d.Task.Dirs.Leave()
	return r.resultOf(ctx, d)
}

// Begin has w deal with entries of d; see [walk.Entries].
func (d *directory) Begin(w *worker) {
	w.job.Current.Set(d.Position(""))
	if d.untried.Load() {
		w.entries.FindShortcut(&d.Dir)
	}
}

// Do copies or removes an entry of d that is not a directory.
func (d *directory) Do(ctx context.Context, w *worker, e vfs.Entry) {
	switch {
	case ctx.Err() != nil:
	case d.removes.removal != nil:
		if !mirror.RemoveEntry(ctx, w.job, &d.Dir, d.removes.removal.Premise, e) {
			d.removes.removal.Keep()
		}
	case d.removes.on:
		w.job.PrepareChange(&d.Dir)
		mirror.RemoveEntry(ctx, w.job, &d.Dir, d.removes.asker.Premise(&d.Dir, e.Name), e)
	default:
		done := countBytes(w.job, d)
		if !d.untried.Load() || !w.entries.TakeShortcut(&d.Dir, e) {
			w.copyEntry(ctx, d, e)
		}
		done()
	}
}

// Then goes on with d when all entries of the list are done.
func (d *directory) Then(ctx context.Context, w *worker) {
	var res result
	switch {
	case d.removes.removal != nil:
		d.CloseOthers()
		d.removes.removal.Done()
		w.endRemoval(ctx, d.removes.removal)
		res = resultAt(ctx)
	case d.removes.on:
		d.removes.asker.Stop()
		res = w.endDirectory(ctx, d)
	default:
		res = w.copyDeferredAliases(ctx, d)
	}
	w.run.ack(d.claim, res)
}

// copyEntry copies an entry of d that is not a directory.
func (w *worker) copyEntry(ctx context.Context, d *directory, e vfs.Entry) {
	if l := w.entries.CopyEntry(w.run.inHand(ctx), &d.Dir, e); l != nil {
		d.mu.Lock()
		d.awaited = append(d.awaited, l)
		d.mu.Unlock()
	}
}

// copyDeferredAliases copies the entries of d that were deferred, unless they turn out to be
// aliases. All other entries have been copied by now.
func (w *worker) copyDeferredAliases(ctx context.Context, d *directory) result {
	deferred := d.deferred
	d.deferred = nil
	listed := alias.ListOnce(d.Dst, deferred)
	for _, a := range deferred {
		if ctx.Err() != nil {
			break
		}
		e := report.Event{Name: a.Name, IsDir: a.Type.IsDir()}
		is, err := isAlias(w.job, &d.Dir, a.First, a.Name, listed)
		switch {
		case err != nil:
			e.Err = err
			failUnseen(w.job, d, pairs.Dest, e, e.IsDir)
		case is:
			e.Err = &alias.Error{First: a.First}
			failUnseen(w.job, d, pairs.Source, e, e.IsDir)
		case e.IsDir:
			w.subdirectories(ctx, d, []vfs.Entry{a.Entry}, new(emptyDirsFar))
		default:
			w.copyEntry(ctx, d, a.Entry)
		}
	}
	return w.endCopying(ctx, d)
}

// endCopying removes what the source lacks from the destination of d once the source's entries have been copied.
func (w *worker) endCopying(ctx context.Context, d *directory) result {
	if ctx.Err() != nil {
		return w.endDirectory(ctx, d)
	}
	if d.unlisted != nil {
		w.job.FailDir(&d.Dir, pairs.Source, "", d.unlisted)
	}
	d.awaited = w.entries.LinkAwaited(ctx, &d.Dir, d.awaited)
	if d.names == nil || d.unlisted != nil && !w.job.Run.Job.Delete.IgnoreErrors {
		w.job.Current.Set(d.Position(""))
		return w.endDirectory(ctx, d)
	}
	d.removes.on = true
	w.shareEntries(d, new(sharedEntries))
	w.removeExtraneous(ctx, d)
	d.list.Finish(ctx, w)
	return result{shared: true}
}

// endDirectory ends the work on d, except for links and for directories to be removed, which are left to other tasks.
func (w *worker) endDirectory(ctx context.Context, d *directory) result {
	if ctx.Err() == nil {
		w.putRest(ctx, d)
	}
	w.finishLast(ctx, &d.Dir)
	return w.run.leaveDirectory(ctx, d)
}

// putRest puts tasks for what is left to do in d.
func (w *worker) putRest(ctx context.Context, d *directory) {
	if len(d.awaited) > 0 || len(d.removes.dirs) > 0 {
		w.keepDesired(&d.Dir)
	}
	if len(d.removes.dirs) > 0 {
		w.putRemovals(ctx, d)
	}
	if len(d.awaited) > 0 {
		w.run.putLinks(d.claim, d.DirInfo, d.awaited)
	}
}

// copyEntries copies the entries of d, directories first, since other workers can continue with those. An error means
// that not all entries could be listed.
func (w *worker) copyEntries(ctx context.Context, d *directory) error {
	empty := newEmptyDirsFar(w, d)
	err := w.list(d, func(entries []vfs.Entry) error {
		entries = w.admit(d, entries)
		w.subdirectories(ctx, d, entries, empty)
		if err := dirs.AwaitMade(w.job, &d.Dir); err != nil {
			return err
		}
		entries = slices.DeleteFunc(entries, isDir)
		return w.copyFiles(ctx, d, entries)
	})
	d.deferred = w.aliases.End()
	empty.await(0)
	_ = dirs.AwaitMade(w.job, &d.Dir) // it has no entries; an error was reported
	return err
}

// copyFiles copies entries of d that are not directories. While no worker is idle, w itself copies those that take a
// single call.
func (w *worker) copyFiles(ctx context.Context, d *directory, entries []vfs.Entry) error {
	if !w.entries.FindShortcut(&d.Dir) {
		return w.share(ctx, d, entries)
	}
	rest, others := entries, entries[:0]
	counted := countBytes(w.job, d)
	for len(rest) > 0 && w.run.pool.Idle() == 0 && ctx.Err() == nil {
		e := rest[0]
		rest = rest[1:]
		if !w.entries.TakeShortcut(&d.Dir, e) {
			others = append(others, e)
		}
	}
	counted()
	if err := w.share(ctx, d, others); err != nil {
		return err
	}
	d.untried.Store(true)
	defer d.untried.Store(false)
	return w.share(ctx, d, rest)
}

func isDir(e vfs.Entry) bool { return e.Type.IsDir() }
