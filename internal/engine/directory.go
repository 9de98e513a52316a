package engine

import (
	"context"
	"errors"
	"io/fs"
	"slices"

	"psync/internal/content"
	"psync/internal/engine/alias"
	"psync/internal/engine/attrs"
	"psync/internal/engine/backup"
	"psync/internal/engine/dirnames"
	"psync/internal/engine/source"
	"psync/internal/engine/volume"
	"psync/internal/metadata"
	"psync/internal/plan"
	"psync/internal/report"
	"psync/internal/vfs"
)

var (
	errInDest  = errors.New("is the destination itself")
	errSameDir = errors.New("source and destination are the same directory")
)

// A directory is the pair of directories that a worker has in hand.
type directory struct {
	pair
	task       task
	claim      *claim        // to the task; nil in other hands than those that have claimed it
	shelf      *shelf        // entries to be dealt with at the moment
	removal    *removal      // if it is to be removed
	premise    *premise      // why, if that is for the sake of a source
	relisted   *relisting    // of the source, where the destination may take several names for one
	unlisted   error         // why the source was not listed to its end
	into       string        // what the destination's paths start with
	attr       vfs.Attr      // of the source
	destAttr   vfs.Attr      // of the destination as it is; zero where a dry run lacks it
	found      fs.FileMode   // of the destination before it was opened up
	lifted     *attrs.Lifted // from the destination, until it is finished; nil: nobody has looked
	atRoot     bool          // one side is the root of a volume, see keepsVolumeFiles
	defaultACL *defaultACL   // of the destination
	touched    bool          // the destination's own times have changed
	finished   bool          // all that is to be done to its attributes is done or deferred
	trouble    bool          // something in it could not be done
	children   bool          // directories below it are still to be copied
	farDest    bool          // the destination is on a network file system
	srcVolume  *volume.Volume
	dstVolume  *volume.Volume      // nil where a dry run lacks the directory
	made       *vfs.Attr           // owner and group that files made here get by themselves
	createMask metadata.CreateMask // what becomes of the modes that files are made with
	tolerance  metadata.Tolerance
	route      *content.Route
	desired    *desired // what finish sets, where the source is closed by then
	lineage    *source.Lineage
	original   *backup.Original
	names      *dirnames.Set    // of the source's entries, where others are to be removed
	had        *dirnames.Set    // of the destination's entries before, if they were listed
	inUse      []string         // temporaries of running processes that the destination had then
	littered   bool             // a temporary could not be removed from the destination
	deferred   []alias.Deferred // entries that are copied when all others are
	waits      bool             // removals are put off
	awaited    []awaited        // names whose groups are led by others
	listed     bool             // the source has entries, whether or not they take part
	doomed     []string         // directories of the destination that are to be removed

	backups      vfs.Dir   // gets backups of what is in the destination; opened when needed
	alternatives []vfs.Dir // counterparts in other trees, nil where there is none
}

// fresh reports whether nothing exists in the destination but what this run made.
func (d *directory) fresh() bool { return d.task.New }

func (d *directory) key() key { return key{d.task.Source, d.task.Path} }

// taskPath returns the path of d below that of its source.
func (d *directory) taskPath() string {
	if d.removal != nil {
		return d.removal.Path()
	}
	return d.task.Path
}

// path returns the path of name below the destination.
func (d *directory) path(name string) string { return join(join(d.into, d.taskPath()), name) }

// position returns that of the entry called name in d, or that of d itself for "".
func (d *directory) position(name string) report.Position {
	p := report.Position{Source: d.task.Source, Dir: d.task.Path, Name: name}
	if d.removal != nil {
		p.DirPath = d.removal
	}
	return p
}

// directory copies the entries of one directory, removes those that it lacks,
// and gives it its attributes.
func (w *worker) directory(ctx context.Context, c *claim) {
	d := &directory{task: c.Task(), claim: c, into: w.Sources[c.Task().Source].Into}
	w.doing.Set(d.position(""))
	d.defaultACL = new(defaultACL)
	d.lineage, d.original = d.task.lineage, d.task.original
	p, side, err := w.handles.enter(d.key())
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
	w.newShelf(d, copyEntry, copyDeferredAliases)
	d.unlisted = w.entries(ctx, d)
	w.handOn(ctx, d)
}

// leaveDirectory ends all work on d.
func (w *worker) leaveDirectory(d *directory) {
	if d.waits {
		w.putOff(d)
	}
	d.closeOthers()
	w.closeUp(d)
	w.handles.leave(d.key())
	d.claim.Ack()
}

func copyEntry(ctx context.Context, w *worker, d *directory, e vfs.Entry) { w.entry(ctx, d, e) }

// removeSuperfluous removes from the destination of d what the source lacks, when what
// it has is copied.
func removeSuperfluous(ctx context.Context, w *worker, d *directory) {
	if ctx.Err() != nil {
		w.leaveDirectory(d)
		return
	}
	if d.unlisted != nil {
		w.failDir(d, onSource, "", d.unlisted)
	}
	awaited := w.settleAwaited(ctx, d)
	w.newShelf(d, removeOne, func(ctx context.Context, w *worker, d *directory) {
		if ctx.Err() == nil {
			w.end(ctx, d, awaited)
		}
		w.leaveDirectory(d)
	})
	if d.names != nil && (d.unlisted == nil || w.Delete.IgnoreErrors) {
		w.removeExtraneous(ctx, d)
	}
	w.handOn(ctx, d)
}

// removeOne removes an entry that is no directory.
func removeOne(ctx context.Context, w *worker, d *directory, e vfs.Entry) {
	w.touch(d)
	w.removeEntry(ctx, d, e)
}

// end finishes d, or leaves that to those who link what it waits for, and remove
// directories from it.
func (w *worker) end(ctx context.Context, d *directory, awaited []awaited) {
	pending := int32(0)
	if len(awaited) > 0 {
		pending++
	}
	if len(d.doomed) > 0 {
		pending++
	}
	if pending == 0 {
		if w.copiesItself(d) {
			w.finish(d)
		}
		return
	}
	u := w.leaveUnfinished(d, pending)
	if len(d.doomed) > 0 {
		w.doom(d, u)
	}
	for len(awaited) > 0 && !w.wait(d, awaited, u) {
		d.awaited = awaited
		awaited = w.settleAwaited(ctx, d)
		u.learn(d)
		if len(awaited) == 0 && ctx.Err() == nil {
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
	w.want(d, &d.attr)
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
	d.tolerance = metadata.Tolerance{
		Window:      w.Policy.Window,
		Granularity: max(d.srcVolume.Granularity(), d.dstVolume.Granularity()),
	}
	d.route = w.routes.Between(d.srcVolume.Device(), d.dstVolume.Device())
	return 0, nil
}

// touch is called before an entry is made in, or removed from, the destination of
// d: its own times will have to be set, and it must be writable.
func (w *worker) touch(d *directory) {
	if !d.touched {
		d.touched = true
		if !d.fresh() { // those were opened up at once
			w.openUp(d)
		}
	}
}

// openUp lets the owner write into a directory of an earlier run whose source
// is read-only or locked, until it is finished. Whoever is not its owner will hear of it
// with each entry. A new root, which this run did not make, is treated as the
// directories that it does make: so a later run can tell that it is not finished.
func (w *worker) openUp(d *directory) {
	if w.DryRun || d.dst == nil || !w.copiesItself(d) {
		return
	}
	if !d.fresh() {
		w.liftDir(d)
	}
	mode := d.destAttr.Mode | 0o700
	if d.fresh() && (d.task.Path == "" || d.task.DefaultACL) && !w.Keep.NoPerms && d.src != nil {
		mode = mode&^fs.ModePerm | w.workMode(d, ".", d.attr)
	}
	if mode == d.destAttr.Mode || d.dst.Chmod(".", mode) != nil {
		return
	}
	d.destAttr.Mode = mode
	if d.fresh() && !d.dstVolume.KeepsAttrs { // which then may have another one
		if attr, err := d.dst.Lstat("."); err == nil {
			d.destAttr.Mode = attr.Mode
		}
	}
}

// liftDir lifts what is in the way of making and removing entries in the destination of d, until d is
// finished.
func (w *worker) liftDir(d *directory) {
	if d.lifted != nil {
		return
	}
	d.lifted = w.lifter.LiftDir(d.dst, d.destAttr)
	d.destAttr.Flags &^= d.lifted.Locks()
}

// closeUp takes back what openUp did to a directory that was there before, if the
// run ends before the directory is finished.
func (w *worker) closeUp(d *directory) {
	if d.finished || d.dst == nil {
		return
	}
	if d.opened() {
		_ = d.dst.Chmod(".", d.found)
	}
	w.lifter.RestoreAt(d.lifted, d.dst, ".")
}

// opened reports whether a directory that was there before has been opened up.
func (d *directory) opened() bool {
	return !d.fresh() && d.dst != nil && d.found.IsDir() && d.destAttr.Mode != d.found
}

// finish gives the destination directory the attributes of the source.
func (w *worker) finish(d *directory) {
	w.named = false
	o := d.desired
	if o == nil {
		var done func()
		o, done = w.desiredOfDir(d)
		defer done()
	}
	d.finished = true
	o.want.Mode = plan.DirMode(w.Keep, d.attr.Mode, d.found, d.fresh(), d.path("") == "")
	if d.dst == nil {
		return // a dry run would have made it
	}
	if w.Keep.Mtime && !d.fresh() && !d.touched {
		w.learnGranularity(d, d.attr.Mtime, d.destAttr.Mtime)
	}
	var on metadata.Settable = metadata.Entry{Dir: d.dst, Name: "."}
	now := metadata.State{Attr: d.destAttr}
	n := w.observeNamed(d, onDest, d.dst, ".", "", &now)
	if n != nil {
		defer n.Close()
		on = n
	}
	d.lifted.AddTo(&now)
	k := w.Keep
	if w.holdsTemporaries(d) {
		k.Mtime = false
	}
	c := w.circumstances(d)
	c.Touched, c.Lifted = d.touched || w.mayGetBackupDir(d), d.lifted.Any()
	w.ops = w.profile.Plan(w.ops[:0], k, c, &o.want, &now)
	ops := w.ops
	if w.DryRun {
		w.tellFinished(d, o, w.diff(ops), 0)
		w.foresee(d, "", ops)
		return
	}
	ops, later := w.part(d, o.want.Mode, ops)
	w.rememberOriginal(d, ops)
	w.flawed = d.trouble
	if err := w.apply(d, "", on, o.node, ops); err != nil {
		w.flawed = true
		w.failDir(d, onDest, "", err)
	}
	missed := w.verifyAttrs(d, "", metadata.Entry{Dir: d.dst, Name: "."}, &now.Attr, ops)
	w.tellFinished(d, o, metadata.Diff(ops)|metadata.Diff(later), missed|d.dstVolume.Ignored())
	w.postpone(d, later)
}

// desiredOfDir is desiredOf for d itself.
func (w *worker) desiredOfDir(d *directory) (o *desired, done func()) {
	return w.desiredNamed(d, ".", "", d.attr)
}

// tellFinished tells in what an existing directory differed. That it was opened up
// for this run does not count, nor does a mode that the volume has not kept.
func (w *worker) tellFinished(d *directory, o *desired, diff report.Diff, missed report.Attr) {
	if !w.Policy.Sync || d.task.Kind != copyTask || d.fresh() {
		return
	}
	was := d.destAttr.Mode&^fs.ModePerm | d.found.Perm()
	switch {
	case w.Compare && diff&report.DiffPerms != 0:
	case missed&report.Mode != 0:
		diff &^= report.DiffPerms
	case o.want.Mode.Perm() != was.Perm() || w.Keep.Perms && o.want.Mode != was:
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
