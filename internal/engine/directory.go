package engine

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"sync"

	"psync/internal/engine/alias"
	"psync/internal/engine/attrs"
	"psync/internal/engine/dirnames"
	"psync/internal/metadata"
	"psync/internal/plan"
	"psync/internal/report"
	"psync/internal/vfs"
)

var (
	errInDest  = errors.New("is the destination itself")
	errSameDir = errors.New("source and destination are the same directory")
)

// A directory is a pair of directories that is open, in the hands of one worker or several.
type directory struct {
	*dirInfo
	pair

	// The worker that goes through the entries owns what follows.
	claim      *claim
	list       *worklist        // entries to be dealt with at the moment
	listed     bool             // the source has entries, whether or not they take part
	unlisted   error            // why the source was not listed to its end
	names      *dirnames.Set    // of the source's entries, where others are to be removed
	deferred   []alias.Deferred // entries that are copied when all others are
	extraneous []string         // directories of the destination that are to be removed

	mu           sync.Mutex // guards what follows
	awaited      []awaited  // names whose groups are led by others
	backups      vfs.Dir    // where entries go before they are replaced; opened when needed
	alternatives []vfs.Dir  // counterparts in other trees, nil where there is none; likewise
}

// directory copies the entries of one directory, removes those that it lacks,
// and gives it its attributes.
func (w *worker) directory(ctx context.Context, c *claim) {
	t := c.Task()
	d := &directory{dirInfo: w.infoOf(t), claim: c}
	w.doing.Set(d.position(""))
	d.lineage, d.original = t.lineage, t.original
	p, side, err := t.dirs.enter()
	if err != nil {
		w.failDir(d, side, "", err)
		if side == onSource {
			w.finishUnreadable(d)
		}
		c.Ack()
		return
	}
	d.pair = p
	d.found = d.closedMode // or 0
	if side, err := w.inspect(d); err != nil {
		w.failDir(d, side, "", err)
		w.leaveDirectory(d)
		return
	}
	if w.removesFrom(d) {
		d.names = new(dirnames.Set)
		if d.dstVolume.Folds {
			d.relisted = new(relisting)
		}
	}
	if w.mayHoldTemporaries(d) {
		w.sweepRoot(d)
	}
	w.newWorklist(d, copiedEntries{d})
	d.unlisted = w.entries(ctx, d)
	d.list.Finish(ctx, w)
}

// leaveDirectory ends all work on d.
func (w *worker) leaveDirectory(d *directory) {
	if d.waits.Load() {
		w.putOff(d)
	}
	d.closeOthers()
	w.closeUp(d)
	d.task.dirs.leave()
	d.claim.Ack()
}

// copiedEntries are entries of a directory to be copied.
type copiedEntries struct{ *directory }

func (d copiedEntries) Begin(w *worker) { w.doing.Set(d.position("")) }

func (d copiedEntries) Do(ctx context.Context, w *worker, e vfs.Entry) {
	if ctx.Err() == nil {
		w.entry(ctx, d.directory, e)
	}
}

func (d copiedEntries) Then(ctx context.Context, w *worker) { w.copyDeferredAliases(ctx, d.directory) }

// endCopying removes from the destination of d what the source lacks, when what
// it has is copied.
func (w *worker) endCopying(ctx context.Context, d *directory) {
	if ctx.Err() != nil {
		w.leaveDirectory(d)
		return
	}
	if d.unlisted != nil {
		w.failDir(d, onSource, "", d.unlisted)
	}
	d.awaited = w.settleAwaited(ctx, d)
	w.newWorklist(d, extraneousEntries{d})
	if d.names != nil && (d.unlisted == nil || w.Delete.IgnoreErrors) {
		w.removeExtraneous(ctx, d)
	}
	d.list.Finish(ctx, w)
}

// extraneousEntries are entries of a directory, no directories, to be removed.
type extraneousEntries struct{ *directory }

func (d extraneousEntries) Begin(w *worker) { w.doing.Set(d.position("")) }

func (d extraneousEntries) Do(ctx context.Context, w *worker, e vfs.Entry) {
	if ctx.Err() == nil {
		w.touch(d.directory)
		w.removeEntry(ctx, d.directory, e)
	}
}

func (d extraneousEntries) Then(ctx context.Context, w *worker) {
	if ctx.Err() == nil {
		w.end(ctx, d.directory)
	}
	w.leaveDirectory(d.directory)
}

// end finishes d, or leaves that to those who link what it waits for, and remove
// directories from it.
func (w *worker) end(ctx context.Context, d *directory) {
	pending := int32(0)
	if len(d.awaited) > 0 {
		pending++
	}
	if len(d.extraneous) > 0 {
		pending++
	}
	if pending == 0 {
		if w.copiesItself(d) {
			w.finish(d, nil)
		}
		return
	}
	u := w.leaveUnfinished(d, pending)
	if len(d.extraneous) > 0 {
		w.doom(d, u)
	}
	for len(d.awaited) > 0 && !w.wait(d, u) {
		d.awaited = w.settleAwaited(ctx, d)
		if len(d.awaited) == 0 && ctx.Err() == nil {
			w.finishLast(u, pair{dst: d.dst})
		}
	}
}

// entries copies the entries of d: the directories first, for others can go on
// with those. An error means that they could not all be found out.
func (w *worker) entries(ctx context.Context, d *directory) error {
	err := w.list(d, func(entries []vfs.Entry) error {
		entries = w.admit(d, entries)
		w.subdirectories(ctx, d, entries)
		return w.share(ctx, d, slices.DeleteFunc(entries, isDir))
	})
	d.deferred = w.aliases.End()
	return err
}

func isDir(e vfs.Entry) bool { return e.Type.IsDir() }

// copiesItself reports whether d is copied itself, rather than only entries of it.
func (w *worker) copiesItself(d *directory) bool {
	return d.task.Path != "" || len(w.Sources[d.task.Source].Names) == 0
}

// inspect finds out about the pair of directories what the copy needs to know.
func (w *worker) inspect(d *directory) (side, error) {
	var err error
	if d.attr, err = d.src.Lstat("."); err != nil {
		return onSource, err
	}
	w.attrs.Want(&d.attr, d.asParent())
	d.srcVolume = w.volumes.Of(d.src, d.attr)
	if w.Keep.Xattrs || w.Keep.ACLs {
		d.srcVolume.ProbeXattrs(w.profile, d.src)
	}
	d.atRoot = d.srcVolume.HasRoot(d.attr)
	if w.copiesItself(d) && d.task.Kind == copyTask {
		w.count.Add(report.DirsSeen, 1)
	}
	if w.Links.Follows() {
		d.lineage = d.lineage.Child(d.attr.ID())
	}
	if w.Dest != nil && d.attr.ID() == w.destID && !w.Compare {
		return onSource, errInDest
	}
	if d.dst == nil {
		return 0, nil
	}
	if d.destAttr, err = d.dst.Lstat("."); err != nil {
		return onDest, err
	}
	if d.attr.ID() == d.destAttr.ID() && !w.Compare {
		return onDest, errSameDir // by way of a link or a mount
	}
	w.addDirlinkTarget(d)
	if !d.wasClosed {
		d.found = d.destAttr.Mode
	}
	d.dstVolume = w.volumes.Of(d.dst, d.destAttr)
	d.atRoot = d.atRoot || d.dstVolume.HasRoot(d.destAttr)
	if d.task.Kind != clearTask {
		d.original = w.originalOf(d.destAttr, d.found, d.original)
	}
	if d.fresh() || !w.User.Privileged() && d.destAttr.Mode&0o500 != 0o500 {
		w.openUp(d) // or else what is in it cannot be looked at
	}
	if w.Fsync && !w.DryRun {
		w.syncs.add(d.destAttr.Dev, d.key())
	}
	d.farDest = d.dstVolume.Network
	w.setTolerance(d.dirInfo)
	d.route = w.routes.Between(d.srcVolume.Device(), d.dstVolume.Device())
	return 0, nil
}

// infoOf returns what is known at first of the directory that a task is about.
func (w *worker) infoOf(t task) *dirInfo {
	made := t.New && t.Path != ""
	return &dirInfo{
		task: t, into: w.Sources[t.Source].Into,
		inherited: attrs.Inherited{Made: made, DefaultACL: t.DefaultACL},
	}
}

// setTolerance sets how much times may differ on the volumes of d.
func (w *worker) setTolerance(d *dirInfo) {
	d.window = w.Policy.Window
	d.raiseGranularity(max(d.srcVolume.Granularity(), d.dstVolume.Granularity()))
}

// touch is called before an entry is made in, or removed from, the destination of
// d: its own times will have to be set, and it must be writable.
func (w *worker) touch(d *directory) {
	if d.touched.Load() {
		return
	}
	d.opening.Lock()
	defer d.opening.Unlock()
	if !d.fresh() && !d.touched.Load() { // those that are fresh were opened up at once
		w.openUpLocked(d)
	}
	d.touched.Store(true)
}

// openUp lets the owner write into a directory of an earlier run whose source
// is read-only or locked, until it is finished. Whoever is not its owner will hear of it
// with each entry. A new root, which this run did not make, is treated as the
// directories that it does make: so a later run can tell that it is not finished.
func (w *worker) openUp(d *directory) {
	d.opening.Lock()
	defer d.opening.Unlock()
	w.openUpLocked(d)
}

func (w *worker) openUpLocked(d *directory) {
	if w.DryRun || d.dst == nil || !w.copiesItself(d) {
		return
	}
	if !d.fresh() {
		w.liftDirLocked(d)
	}
	mode := d.mode() | 0o700
	if d.fresh() && (d.task.Path == "" || d.task.DefaultACL) && !w.Keep.NoPerms && d.src != nil {
		mode = mode&^fs.ModePerm | w.attrs.WorkMode(d.volumes(), d.src, ".", d.attr)
	}
	if mode == d.mode() || d.dst.Chmod(".", mode) != nil {
		return
	}
	d.openedMode.Store(uint32(mode))
	if d.fresh() && !d.dstVolume.KeepsAttrs { // which then may have another one
		if attr, err := d.dst.Lstat("."); err == nil {
			d.openedMode.Store(uint32(attr.Mode))
		}
	}
}

// liftDir lifts what is in the way of making and removing entries in the destination of d, until d is
// finished.
func (w *worker) liftDir(d *directory) {
	d.opening.Lock()
	defer d.opening.Unlock()
	w.liftDirLocked(d)
}

func (w *worker) liftDirLocked(d *directory) {
	if d.lifted == nil {
		d.lifted = w.lifter.LiftDir(d.dst, d.destAttr)
	}
}

// closeUp takes back what openUp did to a directory that was there before, if the
// run ends before the directory is finished.
func (w *worker) closeUp(d *directory) {
	if d.finished.Load() || d.dst == nil {
		return
	}
	if d.opened() {
		_ = d.dst.Chmod(".", d.found)
	}
	w.lifter.RestoreAt(d.lifted, d.dst, ".")
}

// opened reports whether a directory that was there before has been opened up.
func (d *directory) opened() bool {
	return !d.fresh() && d.dst != nil && d.found.IsDir() && d.mode() != d.found
}

// finish gives the destination directory the attributes of the source, which are in o unless that is nil.
func (w *worker) finish(d *directory, o *attrs.Desired) {
	var flawed bool
	if o == nil {
		o = w.desiredDir(d, &flawed)
		defer o.Close()
	}
	d.finished.Store(true)
	o.Want.Mode = plan.DirMode(w.Keep, d.attr.Mode, d.found, d.fresh(), d.path("") == "")
	if d.dst == nil {
		return // a dry run would have made it
	}
	if w.Keep.Mtime && !d.fresh() && !d.touched.Load() {
		w.learnGranularity(d, d.tolerance(), d.attr.Mtime, d.destAttr.Mtime)
	}
	v, now := d.volumes(), d.destAttr
	now.Mode = d.mode()
	now.Flags &^= d.lifted.Locks()
	u, notes := w.attrs.Observe(v, metadata.Entry{Dir: d.dst, Name: "."}, now)
	defer u.Close()
	w.reportAttrs(d, "", &flawed, notes)
	w.attrs.PlanDir(v, &u, o, attrs.DirState{
		Lifted:      d.lifted,
		Touched:     d.touched.Load() || w.mayGetBackupDir(d),
		ForgetMtime: w.holdsTemporaries(d),
	})
	if w.DryRun {
		w.tellFinished(d, o, w.attrs.Diff(&u), 0)
		w.reportAttrs(d, "", &flawed, w.attrs.Foresee(v, &u))
		return
	}
	later := w.attrs.Split(&u, d.children.Load(), w.mayGetBackupDir(d) || w.mayCopyUp(d))
	w.rememberOriginal(d, u.Ops())
	r, err := w.attrs.ApplyDir(v, &u, later, d.trouble.Load())
	w.reportAttrs(d, "", &flawed, r.Notes)
	if err != nil {
		w.failDir(d, onDest, "", err)
	}
	w.tellFinished(d, o, r.Diff, r.Missed|d.dstVolume.Ignored())
	w.deferDir(d, later)
}

// desiredDir returns what the destination of d should have, and reports what could not be read. The
// caller closes it.
func (w *worker) desiredDir(d *directory, flawed *bool) *attrs.Desired {
	o, notes := w.attrs.DesiredAt(d.volumes(), d.src, ".", d.attr)
	w.reportAttrs(d, "", flawed, notes)
	return o
}

// tellFinished tells in what an existing directory differed. That it was opened up
// for this run does not count, nor does a mode that the volume has not kept.
func (w *worker) tellFinished(d *directory, o *attrs.Desired, diff report.Diff, missed report.Attr) {
	if !w.Policy.Sync || d.task.Kind != copyTask || d.fresh() {
		return
	}
	was := d.mode()&^fs.ModePerm | d.found.Perm()
	switch {
	case w.Compare && diff&report.DiffPerms != 0:
	case missed&report.Mode != 0:
		diff &^= report.DiffPerms
	case o.Want.Mode.Perm() != was.Perm() || w.Keep.Perms && o.Want.Mode != was:
		diff |= report.DiffPerms
	default:
		diff &^= report.DiffPerms
	}
	if diff != 0 {
		w.count.Add(report.AttrsSet, 1)
		w.tell(d, report.Event{Kind: report.SetAttr, IsDir: true, Diff: diff})
	}
}

// closeOthers closes what was opened beside the pair of directories.
func (d *directory) closeOthers() {
	if d.backups == nil && d.alternatives == nil || d.path("") == "" {
		return // these are the roots, and not ours
	}
	if d.backups != nil {
		d.backups.Close()
	}
	for _, alt := range d.alternatives {
		if alt != nil {
			alt.Close()
		}
	}
}
