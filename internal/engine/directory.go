package engine

import (
	"context"
	"errors"
	"io/fs"

	"psync/internal/content"
	"psync/internal/plan"
	"psync/internal/queue"
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
	task      queue.Task
	into      string      // what the destination's paths start with
	attr      vfs.Attr    // of the source
	destAttr  vfs.Attr    // of the destination as it is; zero where a dry run lacks it
	found     fs.FileMode // of the destination before it was opened up
	masked    *bool       // see narrows
	touched   bool        // the destination's own times have changed
	finished  bool        // all that is to be done to its attributes is done or deferred
	children  bool        // directories below it are still to be copied
	farDest   bool        // the destination is on a network file system
	tolerance plan.Tolerance
	route     *content.Route
	lineage   *lineage
	names     *names // of the source's entries, where others are to be removed
	waits     bool   // removals are put off
	listed    bool   // the source has entries, whether or not they take part

	aside        vfs.Dir   // where entries go before they are replaced; opened when needed
	alternatives []vfs.Dir // counterparts in other trees, nil where there is none
}

// fresh reports whether nothing exists in the destination but what this run made.
func (d *directory) fresh() bool { return d.task.New }

func (d *directory) key() key { return key{d.task.Source, d.task.Path} }

// path returns the path of name below the destination.
func (d *directory) path(name string) string { return join(join(d.into, d.task.Path), name) }

// directory copies the entries of one directory, removes those that it lacks,
// and gives it its attributes. An error means that the queue is broken.
func (w *worker) directory(ctx context.Context, c queue.Claim) error {
	d := &directory{task: c.Task(), into: w.Sources[c.Task().Source].Into}
	d.lineage = w.takeLineage(d.key())
	p, side, err := w.handles.enter(d.key())
	if err != nil {
		w.failDir(d, side, "", err)
		return nil
	}
	defer w.handles.leave(d.key())
	d.pair = p
	d.found = d.closedMode // or 0
	defer d.closeUp()
	defer d.closeAsides()
	if side, err := w.inspect(d); err != nil {
		w.failDir(d, side, "", err)
		return nil
	}
	if w.mayHoldTemporaries(d) {
		w.sweep(d)
	}
	if w.removesFrom(d) {
		d.names = newNames()
	}

	err, broken := w.entries(ctx, d, c)
	if broken != nil || ctx.Err() != nil {
		return broken
	}
	if err != nil {
		w.failDir(d, onSource, "", err)
	}
	pending := false
	if d.names != nil && (err == nil || w.Delete.IgnoreErrors) {
		if pending, err = w.removeExtraneous(ctx, d, c); err != nil {
			return err
		}
	}
	if w.copiesItself(d) && !pending {
		w.finish(d)
	}
	return nil
}

// entries copies the entries of d: the directories first, for others can go on
// with those. An error means that they could not all be found out;
// broken, that the queue is.
func (w *worker) entries(ctx context.Context, d *directory, c queue.Claim) (err, broken error) {
	err = w.list(d, func(entries []vfs.Entry) error {
		entries = w.admit(d, entries)
		if broken = w.subdirectories(ctx, d, c, entries); broken != nil {
			return broken
		}
		for _, e := range entries {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			if !e.Type.IsDir() {
				w.entry(ctx, d, e)
			}
		}
		return nil
	})
	return err, broken
}

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
	if w.copiesItself(d) && d.task.Kind == queue.Copy {
		w.count.Add(report.DirsSeen, 1)
	}
	d.lineage = d.lineage.below(d.attr.ID(), w.Links.follow())
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
	if !d.wasClosed {
		d.found = d.destAttr.Mode
	}
	if d.fresh() || w.UID != 0 && d.destAttr.Mode&0o500 != 0o500 {
		w.openUp(d) // or else what is in it cannot be looked at
	}
	src, dest := w.volumes.device(d.src, d.attr), w.volumes.device(d.dst, d.destAttr)
	d.farDest = dest.Network
	d.tolerance = plan.Tolerance{Window: w.Policy.Window, Granularity: max(src.granularity, dest.granularity)}
	d.route = w.routes.Between(src.Device, dest.Device)
	return 0, nil
}

// narrows reports whether the destination has a default ACL, so that the
// permissions of what is created in it must be set again.
func (d *directory) narrows() bool {
	if d.masked == nil {
		masked := d.task.Masked
		if m, ok := d.dst.(vfs.Masker); ok && (!d.fresh() || d.task.Path == "") {
			masked = m.Masked()
		}
		d.masked = &masked
	}
	return *d.masked
}

// touch is called before an entry is made in, or removed from, the destination of
// d: its own times will have to be set, and it must be writable.
func (w *worker) touch(d *directory) {
	if !d.touched {
		d.touched = true
		w.openUp(d)
	}
}

// openUp lets the owner write into a directory of an earlier run whose source
// is read-only, until it is finished. Whoever is not its owner will hear of it
// with each entry. A new root, which this run did not make, is treated as the
// directories that it does make: so a later run can tell that it is not finished.
func (w *worker) openUp(d *directory) {
	if w.DryRun || d.dst == nil || !w.copiesItself(d) {
		return
	}
	mode := d.destAttr.Mode | 0o700
	if d.fresh() {
		mode = mode&^fs.ModePerm | d.attr.Mode.Perm() | 0o700
	}
	if mode != d.destAttr.Mode && d.dst.Chmod(".", mode) == nil {
		d.destAttr.Mode = mode
	}
}

// closeUp takes back what openUp did to a directory that was there before, if the
// run ends before the directory is finished.
func (d *directory) closeUp() {
	if d.opened() && !d.finished {
		_ = d.dst.Chmod(".", d.found)
	}
}

// opened reports whether a directory that was there before has been opened up.
func (d *directory) opened() bool {
	return !d.fresh() && d.dst != nil && d.found.IsDir() && d.destAttr.Mode != d.found
}

// finish gives the destination directory the attributes of the source.
func (w *worker) finish(d *directory) {
	want, was := d.attr, d.destAttr
	adopts := d.fresh() || w.Keep.Modes && d.path("") != "" // the root may be /tmp
	want.Mode = fs.ModeDir | plan.DirMode(d.attr.Mode, d.found, adopts)
	was.Mode = was.Mode&^fs.ModePerm | d.found.Perm()
	if w.Policy.Sync && d.task.Kind == queue.Copy && !d.fresh() && d.dst != nil {
		if diff := plan.Diff(want, was, w.Keep, d.tolerance); diff != 0 {
			w.count.Add(report.AttrsSet, 1)
			w.tell(d, report.Event{Kind: report.SetAttr, IsDir: true, Diff: diff})
		}
	}
	if w.DryRun {
		return
	}
	change := plan.Changes(want, d.destAttr, w.Keep, d.tolerance)
	change.Chtimes = change.Chtimes || d.touched && w.Keep.Times()
	if change.Chmod && d.children && change.Mode.Perm()&0o700 != 0o700 {
		w.deferMode(d, change.Mode)
		change.Chmod = false
	}
	d.finished = true
	if err := w.set(d, "", named{d.dst, "."}, change, d.attr); err != nil {
		w.failDir(d, onDest, "", err)
	}
}
