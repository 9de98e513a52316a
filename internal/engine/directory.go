package engine

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"

	"psync/internal/engine/alias"
	"psync/internal/engine/aliasop"
	"psync/internal/engine/dirnames"
	"psync/internal/engine/dirs"
	"psync/internal/engine/entry"
	"psync/internal/engine/job"
	"psync/internal/engine/mirror"
	"psync/internal/engine/pairs"
	"psync/internal/report"
	"psync/internal/vfs"
)

// A dirClaim is a claim to process a directory, with what is needed only meanwhile. One worker or several process the
// entries.
type dirClaim struct {
	claim   *claim
	dir     *job.Dir
	untried atomic.Bool // one call may be enough for each of the shared entries

	mu      sync.Mutex           // guards awaited
	awaited []*entry.AwaitedLink // names that become links to what other workers copy

	// The worker that processes the entries owns the fields below.
	list     *sharedEntries   // the entries being copied or removed at the moment
	copied   sharedEntries    // the entries to copy
	listed   bool             // the source has entries, whether or not they take part
	unlisted error            // why the source was not listed to its end
	empty    *emptyDirsFar    // subdirectories that are made without waiting
	deferred []alias.Deferred // entries to copy after all others
	removes  removing

	recorded recordedEntries // for the journal
}

// removing is what is removed from the destination of a directory.
type removing struct {
	names *dirnames.Set // of the source's entries, if extraneous ones are removed; otherwise it is nil
	on    bool          // the list holds entries that the source lacks
	asker *mirror.Asker // of the source, about them; may be nil
	dirs  []string      // that the source lacks

	// removal is that of the directory itself, or of entries in it that the user has named; otherwise it is nil.
	removal  *mirror.Removal
	attempts int // how many other subdirectories may be tried that are not empty
}

// directory copies the entries of one directory, removes those of the destination that the source lacks, and sets the
// directory's attributes.
func (w *worker) directory(ctx context.Context, of *claim, t job.Task) result {
	d := w.job.Run.NewDir(t)
	c := &dirClaim{claim: of, dir: d}
	d.Left.AddEntries()
	d.Left.AddTask(t.Kind)
	if first := of.Task().dir; first != nil {
		d.Left.Hold(first)
	}
	w.job.Current.Set(d.Position(""))
	p, side, err := t.Dirs.Enter()
	if err != nil {
		dirs.FailToEnter(w.job, d, side, err)
		if side == pairs.Source {
			w.finishUnreadable(d)
		}
		return w.run.resultOf(ctx, c)
	}
	d.Open(p)
	d.Found = p.ClosedMode
	if side, err = dirs.Inspect(w.job, d); err == nil {
		side, err = dirs.ReadRules(w.job, d)
	}
	if err != nil {
		dirs.FailToEnter(w.job, d, side, err)
		return w.run.abandonDirectory(ctx, c)
	}
	passThrough(w.job, c)
	if w.removesFrom(c) {
		c.removes.names = new(dirnames.Set)
		if d.DstVolume.Folds {
			d.Relisting = new(job.Relisting)
		}
	}
	w.run.rootSweep.Sweep(w.job, d, c.removes.names != nil)
	w.shareEntries(c, &c.copied)
	c.unlisted = w.copyEntries(ctx, c)
	if d.Pending.Known() && !d.Pending.Made() {
		return w.run.abandonDirectory(ctx, c)
	}
	c.list.Finish(ctx, w)
	return result{shared: true}
}

// abandonDirectory ends the work on c.dir, whose entries cannot be copied, and returns the result of the task.
func (r *run) abandonDirectory(ctx context.Context, c *dirClaim) result {
	r.job.RevokeAccess(c.dir)
	c.dir.Close()
	return r.leaveDirectory(ctx, c)
}

// leaveDirectory returns the result of the task of c.dir, which is closed, unless another worker has opened it.
func (r *run) leaveDirectory(ctx context.Context, c *dirClaim) result {
	d := c.dir
	d.Had.Forget()
	if d.Delayed != nil {
		d.Task.Dirs.Retain()
		r.putLater(placePhase, task{Task: job.Task{Kind: job.Place}, dir: d})
	}
	d.Task.Dirs.Leave()
	return r.resultOf(ctx, c)
}

// Begin has w deal with entries of c.dir; see [walk.Entries].
func (c *dirClaim) Begin(w *worker) {
	w.job.Current.Set(c.dir.Position(""))
	if c.untried.Load() {
		w.entries.FindShortcut(c.dir)
	}
}

// Do copies or removes an entry of c.dir that is not a directory.
func (c *dirClaim) Do(ctx context.Context, w *worker, e vfs.Entry) {
	d := c.dir
	switch {
	case ctx.Err() != nil:
	case c.removes.removal != nil:
		if !mirror.RemoveEntry(ctx, w.job, d, c.removes.removal.Premise, e) {
			c.removes.removal.Keep()
		}
	case c.removes.on:
		w.job.PrepareChange(d)
		mirror.RemoveEntry(ctx, w.job, d, c.removes.asker.Premise(d, e.Name), e)
	default:
		done := countBytes(w.job, c)
		if !c.untried.Load() || !w.entries.TakeShortcut(d, e) {
			w.copyEntry(ctx, c, e)
		}
		done()
	}
}

// Then goes on with c.dir when all entries of the list are done.
func (c *dirClaim) Then(ctx context.Context, w *worker) {
	var res result
	switch {
	case c.removes.removal != nil:
		c.dir.Close()
		c.removes.removal.Done()
		w.endRemoval(ctx, c.removes.removal)
		res = resultAt(ctx)
	case c.removes.on:
		c.removes.asker.Stop()
		res = w.endDirectory(ctx, c)
	default:
		res = w.copyDeferredAliases(ctx, c)
	}
	w.run.ack(c.claim, res)
}

// copyEntry copies an entry of c.dir that is not a directory.
func (w *worker) copyEntry(ctx context.Context, c *dirClaim, e vfs.Entry) {
	if l := w.entries.CopyEntry(w.run.inHand(ctx), c.dir, e); l != nil {
		c.mu.Lock()
		c.awaited = append(c.awaited, l)
		c.mu.Unlock()
	}
}

// copyDeferredAliases copies the entries of c.dir that were deferred, unless they turn out to be
// aliases. All other entries have been copied by now.
func (w *worker) copyDeferredAliases(ctx context.Context, c *dirClaim) result {
	d := c.dir
	deferred := c.deferred
	c.deferred = nil
	listed := alias.ListOnce(d.Dst, deferred)
	for _, a := range deferred {
		if ctx.Err() != nil {
			break
		}
		e := report.Event{Name: a.Name, IsDir: a.Type.IsDir()}
		is, err := aliasop.Is(w.job, d, a.First, a.Name, listed)
		switch {
		case err != nil:
			e.Err = err
			job.FailUnseen(w.job, d, pairs.Dest, e, e.IsDir)
		case is:
			e.Err = &alias.Error{First: a.First}
			job.FailUnseen(w.job, d, pairs.Source, e, e.IsDir)
		case e.IsDir:
			w.subdirectories(ctx, c, []vfs.Entry{a.Entry}, nil)
		default:
			w.copyEntry(ctx, c, a.Entry)
		}
	}
	return w.endCopying(ctx, c)
}

// endCopying removes what the source lacks from the destination of c.dir once the source's entries have been copied.
func (w *worker) endCopying(ctx context.Context, c *dirClaim) result {
	if ctx.Err() != nil {
		return w.endDirectory(ctx, c)
	}
	if c.unlisted != nil {
		w.job.FailDir(c.dir, pairs.Source, "", c.unlisted)
	}
	c.awaited = w.entries.LinkAwaited(ctx, c.dir, c.awaited)
	if c.removes.names == nil || c.unlisted != nil && !w.job.Run.Job.Delete.IgnoreErrors {
		w.job.Current.Set(c.dir.Position(""))
		return w.endDirectory(ctx, c)
	}
	c.removes.on = true
	w.shareEntries(c, new(sharedEntries))
	w.removeExtraneous(ctx, c)
	c.list.Finish(ctx, w)
	return result{shared: true}
}

// endDirectory ends the work on c.dir, except for links and for directories to be removed, which are left to other tasks.
func (w *worker) endDirectory(ctx context.Context, c *dirClaim) result {
	if ctx.Err() == nil {
		w.putRest(ctx, c)
	}
	return closeDirectory(ctx, w, c)
}

// putRest puts tasks for what is left to do in c.dir.
func (w *worker) putRest(ctx context.Context, c *dirClaim) {
	if len(c.awaited) > 0 || len(c.removes.dirs) > 0 {
		w.rememberDesired(c.dir)
	}
	if len(c.removes.dirs) > 0 {
		w.putRemovals(ctx, c)
	}
	if len(c.awaited) > 0 {
		w.run.putLinks(c.claim, c.dir, c.awaited)
	}
}

// copyEntries copies the entries of c.dir, directories first, since other workers can continue with those. An error means
// that not all entries could be listed.
func (w *worker) copyEntries(ctx context.Context, c *dirClaim) error {
	c.empty = newEmptyDirsFar(w, c)
	err := w.list(c, func(entries []vfs.Entry) error {
		entries = w.admit(c, entries)
		w.subdirectories(ctx, c, entries, c.empty)
		if entries = slices.DeleteFunc(entries, isDir); len(entries) == 0 {
			return nil
		}
		if err := dirs.AwaitMade(w.job, c.dir); err != nil {
			return err
		}
		return w.copyFiles(ctx, c, entries)
	})
	c.deferred = w.aliases.End()
	if err != nil || len(c.deferred) > 0 {
		_ = dirs.AwaitMade(w.job, c.dir) // an error was reported
		c.empty.await(w, 0)
	}
	return err
}

// copyFiles copies entries of c.dir that are not directories. While no worker is idle, w itself copies those that take a
// single call.
func (w *worker) copyFiles(ctx context.Context, c *dirClaim, entries []vfs.Entry) error {
	found, few := w.entries.FindShortcut(c.dir)
	if few && len(entries) > 1 {
		limitHelpers(c, w.job.Run.IsFar(c.dir))
		entries = c.list.First(ctx, w, entries)
		found, _ = w.entries.FindShortcut(c.dir)
	}
	if !found {
		return w.share(ctx, c, entries)
	}
	rest, others := entries, entries[:0]
	counted := countBytes(w.job, c)
	for len(rest) > 0 && w.run.pool.Idle() == 0 && ctx.Err() == nil {
		e := rest[0]
		rest = rest[1:]
		if !w.entries.TakeShortcut(c.dir, e) {
			others = append(others, e)
		}
	}
	counted()
	if err := w.share(ctx, c, others); err != nil {
		return err
	}
	c.untried.Store(true)
	defer c.untried.Store(false)
	return w.share(ctx, c, rest)
}

func isDir(e vfs.Entry) bool { return e.Type.IsDir() }
