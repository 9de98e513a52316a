// Package engine runs workers that claim directories and apply planned steps.
//
// A worker claims one directory of the source, makes its subdirectories in the destination and pushes their tasks
// onto the stack at once, copies its files one after another, and sets the directory's attributes when its own
// entries are done. Entries further below do not change those attributes, so no worker waits for a subtree.
//
// These rules keep an interrupted or failed run from doing harm:
//   - A file under a new name is written in place, unless several workers copy
//     ranges of it. It is removed if copying it fails, unless another run has put its
//     own copy there meanwhile; see package place. Its modification time is set
//     last, so what a killed process leaves behind never looks current.
//   - A file under an existing name is written under a temporary name and renamed:
//     a reader sees the old contents or the complete new ones. The next run removes the
//     temporaries of a process that no longer exists; see package tempname.
//   - With Verify, a file that does not read back as it was written is copied once more. If that fails too, the file
//     fails before it gets its name or its time.
//   - A file whose data a power failure could lose unnoticed is synced before it
//     gets its time; see package content.
//   - With DelayUpdates, files get their names when all are complete, except files with several names. An interrupted
//     run removes those that have no name yet.
//   - A directory is made with all rights for its owner. Where the source grants
//     less, the mode is set once no more work is needed inside.
//   - A replacement is complete before what it replaces is removed.
//   - A file that changed while it was copied gets a time that never makes it look current. A file that was
//     changed just before it was opened is read only when a later change would show; see package changed.
//   - An entry is removed only where the source was listed to its end, and only
//     if no name of the source refers to it, whatever spelling the destination uses. The source is
//     checked once more right before; see package mirror.
//     Removing follows no link and enters no mount. With a limit, everything is counted
//     first, and no more is removed than was allowed, whatever the source loses meanwhile.
//     If links of the destination are kept, everything is copied first, and what they
//     lead to is not removed.
//   - An attribute that could not be read in the source is left alone in the destination, and
//     its entry fails. A flag that locks an entry is set when everything else is right;
//     otherwise the next run could not correct the rest.
//   - A file gets its owner before any set-id bit, and no other user can read it until
//     then. If the owner cannot be set, the file gets no such bit.
//   - An existing file gets no set-id bit and no capability that it did not have: another user may
//     have written contents whose size and time look current, so they are compared.
//     Otherwise the file is copied anew, since its owner may still have it mapped.
//   - A directory is never copied onto itself, so --remove-source-files cannot
//     remove the only copy.
//
// Package entry copies entries that are not directories. If an entry has several names, the first worker that finds
// it copies it; see package hardlink. While some workers are idle, the others share entries and ranges of large files
// with them; see share.go.
//
// Copying a small file with its times into a new directory takes ten system calls on Linux: openat and fstat of the
// source, flistxattr to see what else it has, openat of the destination, pread and pwrite (above 64 KiB one
// copy_file_range instead), fstat again to see whether the source has changed, utimensat, and two closes. A file that
// a sync finds current takes one fstatat on each side. Copying an empty directory likewise takes seven: openat,
// fstat, getdents64 twice and close, mkdirat and utimensat.
package engine

import (
	"cmp"
	"context"
	"slices"
	"sync"

	"psync/internal/engine/aliasop"
	"psync/internal/engine/attrs"
	"psync/internal/engine/dirs"
	"psync/internal/engine/entry"
	"psync/internal/engine/job"
	"psync/internal/engine/pairs"
	"psync/internal/engine/rootwatch"
	"psync/internal/engine/source"
	"psync/internal/engine/sweep"
	"psync/internal/metadata"
	"psync/internal/report"
	"psync/internal/tempname"
	"psync/internal/vfs"
	"psync/internal/walk"
)

// A Job is what Run needs.
type Job = job.Job

// Options say how to copy.
type Options = job.Options

// A FatalError ends a run: nothing more can be written to the destination.
type FatalError = job.FatalError

// A RootError ends a run: the path of a root no longer leads to the directory that the run opened.
type RootError = rootwatch.Error

// Run copies what j describes. It returns nil when every directory was processed, even if single entries failed,
// which the sink and the statistics report. Otherwise it returns:
//   - a *[FatalError] if the destination was full or read-only;
//   - a *[RootError] if a root was unmounted or renamed;
//   - a *[job.LimitError] if there was more to remove than is allowed;
//   - a *[vfs.LostError] if a connection was lost;
//   - a *[JournalError] if the journal could not be written;
//   - a *[StopError] if a limit of the job was reached;
//   - the cause of ctx if ctx ended first.
//
// In any case no unfinished file is left under its final name.
func Run(ctx context.Context, j Job) error {
	ctx, stop := stoppable(ctx)
	defer stop(nil)
	return newRun(j, stop).run(ctx)
}

// stoppable is [context.WithCancelCause], but if ctx is done, its cause comes first: what waits for ctx may go on, and fail,
// before the result is done, too.
func stoppable(ctx context.Context) (context.Context, context.CancelCauseFunc) {
	result, cancel := context.WithCancelCause(ctx)
	return result, func(cause error) { cancel(cmp.Or(context.Cause(ctx), cause)) }
}

func (r *run) run(ctx context.Context) error {
	defer r.close()
	defer rootwatch.Watch(ctx, r.job.Job.Watched, r.job.Stop)()
	r.openJournal()
	r.stack = newSharedStack(r)
	if err := r.start(ctx); err != nil {
		return cmp.Or(err, r.flushJournal())
	}
	limited, release := r.withinLimits(ctx)
	defer release()
	r.pool.PutLater(endPhase, task{Task: job.Task{Kind: job.End}})
	r.pool.PutLater(syncPhase, task{Task: job.Task{Kind: job.Sync}})
	r.exchange(limited)
	r.work(limited)
	unrecorded := r.flushJournal()
	return cmp.Or(context.Cause(ctx), r.ended, r.over, r.job.Budget.Skipped(), unrecorded)
}

func newRun(j Job, stop context.CancelCauseFunc) *run {
	if j.AlwaysShare && j.Streams == 0 {
		j.Streams = 4
	}
	j.Resumes = j.Resumes || j.Progress != nil
	if j.Workers == nil {
		j.Workers = walk.NewSize(j.Threads, j.Threads)
	}
	if j.Activity == nil {
		j.Activity = new(report.Activity)
	}
	if j.Process == nil {
		j.Process = func() tempname.Process { return tempname.Process{} }
	}
	for _, s := range j.Sources {
		j.Activity.AddSource(s.Label)
	}
	r := &run{job: job.Run{Job: j, Stop: stop}}
	namer := sync.OnceValue(func() func() string { return j.Process().Namer() })
	r.job.NewTemp = func() string { return namer()() }
	r.job.Selector = source.NewSelector(j.Selection, j.Links, j.SourceProfile)
	r.removals.CrossMounts = j.Delete.CrossMounts
	r.pool = walk.NewPool(j.Workers, r.worker, func(ctx context.Context, w *worker, c *claim) { r.ack(c, r.do(ctx, w, c)) })
	r.pool.AlwaysShare = j.AlwaysShare
	r.pool.Always = true // see do
	if j.Deliver != nil {
		r.pool.DeliverBy(deliverBy(j.Deliver))
	}
	j.Activity.CountWaiting(r.pool.Unclaimed)
	r.pool.Rest = func(w *worker) { w.job.Current.Clear() }
	r.job.Lifter = attrs.NewLifter(&attrs.Policy{
		Keep: j.Keep, User: j.User, HardLinks: j.HardLinks, Compare: j.Compare,
		Source: cmp.Or(j.SourceProfile, metadata.Native()), Dest: cmp.Or(j.DestProfile, metadata.Native()),
	}, &r.job.Volumes)
	r.job.Sweeper = &sweep.Sweeper{Process: j.Process, Lifter: r.job.Lifter, Volumes: &r.job.Volumes}
	r.job.Backups = r.newBackups()
	r.job.Budget.Max = j.Delete.Max
	r.approve = sync.OnceValue(func() error { r.over = r.job.Budget.Approve(); return r.over })
	r.job.DeferredRemovals.Put = func(d *job.Dir, t job.Task) {
		t.Dirs.Reenter()
		r.putLater(removePhase, task{Task: t, dir: d})
	}
	r.job.ApplyLast = func(m *job.Deferral) {
		r.putLater(lastPhaseOf(m.Dir.Path(m.Name)), task{Task: job.Task{Kind: job.Apply}, dir: m.Dir, deferral: m})
	}
	r.entries = entry.NewShared(&r.job)
	r.entries.PutLists = r.putCopiedLists
	r.cache.Limit = cmp.Or(j.OpenDirs, 256)
	r.closers = walk.NewWaiters(min(maxClosing, r.cache.Limit), r.worker)
	r.cache.FollowSource = j.Links.Follows()
	r.cache.FollowDest = j.Links.KeepDirlinks
	r.cache.MayGrantAccess = !j.DryRun
	r.cache.MayLack = j.DryRun
	r.destDirs.FollowDest = j.Links.KeepDirlinks
	r.destDirs.Limit = max(r.cache.Limit/2, 1)
	r.removals.Limit = r.destDirs.Limit
	wants := report.WantsOf(j.Sink)
	r.job.Reporting.Unlisted, r.job.Reporting.Announced, r.job.Reporting.Detail = !wants.Steps, wants.Announcements, wants.Details
	r.job.Reporting.Rest, r.job.Reporting.Dirs, r.job.Reporting.Bases = wants.Rest, wants.Dirs, wants.Bases
	return r
}

// start puts a task for each source into the pool.
func (r *run) start(ctx context.Context) error {
	var root vfs.Attr
	r.job.DestID.Dev = r.job.Job.DestDev
	if r.job.Job.Dest != nil {
		var err error
		if root, err = vfs.Lstat(r.job.Job.Dest, "."); err != nil {
			return err
		}
		r.job.DestID = root.ID()
	}
	if err := r.findInUse(); err != nil {
		return err
	}
	w := r.worker()
	if r.job.Job.TempDir != nil && !r.job.Job.DryRun {
		r.tempDir = new(job.Dir).Open(pairs.Pair{Dst: r.job.Job.TempDir})
		r.tempDir.TimesChanged.Store(true)
		dirs.Sweep(w.job, r.tempDir, false)
	}
	var dropped map[int]bool
	if len(r.job.Job.Sources) > 1 {
		r.job.Job.Sources = slices.Clone(r.job.Job.Sources) // which are the caller's
		dropped = aliasop.Drop(w.job, root)
	}
	dirs.CountNewRoot(w.job)
	r.job.Roots = make(job.Roots, len(r.job.Job.Sources))
	defer job.ExpectRoot(&r.job)() // until the sources have their tasks
	for i := range r.job.Job.Sources {
		if dropped[i] {
			continue
		}
		if dirs.LeavesOut(w.job, i, root) {
			r.stack.leaveOut(i)
			continue
		}
		t, ok := w.addSource(ctx, i, root)
		if !ok {
			continue
		}
		job.ReportDir(&r.job, report.Expect, r.job.Job.Sources[i].Into)
		if r.stack == nil {
			r.pool.Put(task{Task: t})
		} else {
			r.stack.roots[i] = t
		}
	}
	return nil
}

// close closes what the run itself has opened.
func (r *run) close() {
	r.cache.CloseAll()
	r.removals.CloseAll()
	r.job.Backups.Close()
	r.destDirs.CloseAll()
	for _, p := range r.opened {
		pairs.Pair{Dst: p.Dst}.Close()
	}
}
