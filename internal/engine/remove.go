package engine

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"strings"

	"psync/internal/engine/source"
	"psync/internal/plan"
	"psync/internal/vfs"
)

// doom puts tasks to remove the doomed directories of d, which is to be finished as u when
// they are gone.
func (w *worker) doom(d *directory, u *unfinished) {
	base := &survivor{d: d.dirInfo, dest: d.task.dirs.dest()}
	base.dest.retain()
	base.dest.expect(d.destAttr.ID())
	up := w.newRemoval(nil, d.task.Source)
	up.base, up.unfinished, up.original = base, u, d.original
	up.pending.Store(int64(len(d.extraneous)))
	d.task.dirs.retain() // to ask the source
	for _, name := range d.extraneous {
		rm := w.childRemoval(up, name, d.destAttr.Dev)
		rm.premise = newPremise(d.dirInfo, pair{}, name, false)
		d.claim.Put(rm.task())
	}
}

// A survivor is a directory of a copy's destination.
type survivor struct {
	d    *dirInfo // with the source, which is asked before anything goes
	dest *pairNode
}

func (s *survivor) path() string { return s.d.task.Path }
func (s *survivor) done()        { s.dest.done() }

func (s *survivor) use() (vfs.Dir, error) {
	p, _, err := s.dest.use()
	return p.dst, err
}

func (s *survivor) release() {
	s.dest.release()
	s.d.task.dirs.release()
}

// removeDirectory empties one directory of the destination.
func (w *worker) removeDirectory(ctx context.Context, c *claim) {
	rm := c.Task().removal
	d := w.removing(rm)
	d.claim = c
	w.doing.Set(d.position(""))
	dst, err := w.openRemovals.Use(&rm.Node)
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) { // then there is nothing to do
			w.failDir(d, onDest, "", err)
			rm.kept.Store(true)
		}
		w.removed(rm)
		c.Ack()
		return
	}
	d.dst = dst
	w.newWorklist(d, removedEntries{d})
	if rm.parent == nil {
		w.removeOperands(ctx, d)
	} else {
		w.empty(ctx, d)
	}
	d.list.Finish(ctx, w)
}

// removing returns the directory of rm, without what is open.
func (w *worker) removing(rm *removal) *directory {
	d := w.infoOf(rm.task()).open(pair{})
	d.removal, d.premise = rm, rm.premise
	return d
}

// removedEntries are entries, no directories, of a directory that is removed itself.
type removedEntries struct{ *directory }

func (d removedEntries) Begin(w *worker) { w.doing.Set(d.position("")) }

func (d removedEntries) Do(ctx context.Context, w *worker, e vfs.Entry) {
	if ctx.Err() == nil && !w.removeEntry(ctx, d.directory, e) {
		d.removal.kept.Store(true)
	}
}

func (d removedEntries) Then(ctx context.Context, w *worker) {
	d.closeOthers()
	w.openRemovals.Done(&d.removal.Node)
	if ctx.Err() == nil {
		w.removed(d.removal)
	}
	d.claim.Ack()
}

// empty removes the entries of d, and puts tasks to remove its subdirectories.
func (w *worker) empty(ctx context.Context, d *directory) {
	rm := d.removal
	attr, err := d.dst.Lstat(".")
	d.destAttr = attr
	rm.id = attr.ID()
	if errors.Is(err, fs.ErrNotExist) {
		return // somebody else was faster
	}
	if err == nil {
		err = w.mayEmpty(d, rm.dev)
	}
	if err != nil {
		rm.kept.Store(true)
		if err != errSpared {
			w.failDir(d, onDest, "", err)
		}
		return
	}
	d.original = w.originalOf(attr, attr.Mode, rm.parent.original)
	rm.original = d.original
	w.allowRemoving(d)
	rm.lifted = d.lifted
	d.dstVolume = w.volumes.Of(d.dst, attr)
	d.farDest = d.dstVolume.Network
	err = d.dst.ReadDir(func(entries []vfs.Entry) error {
		entries = slices.DeleteFunc(entries, func(e vfs.Entry) bool {
			switch {
			case d.dstVolume.AppleDouble && source.IsAppleDouble(d.dst, e.Name): // it goes with that, or stays
				return true
			case w.spared(d, e):
				rm.kept.Store(true)
				return true
			}
			return false
		})
		for _, e := range entries {
			if !e.Type.IsDir() {
				continue
			}
			rm.pending.Add(1)
			d.claim.Put(w.childRemoval(rm, strings.Clone(e.Name), rm.dev).task())
		}
		return w.share(ctx, d, slices.DeleteFunc(entries, isDir))
	})
	if err != nil && ctx.Err() == nil && !errors.Is(err, fs.ErrNotExist) {
		rm.kept.Store(true)
		w.failDir(d, onDest, "", err)
	}
}

var errSpared = errors.New("spared")

// mayEmpty returns why the directory d of the destination must not be emptied.
func (w *worker) mayEmpty(d *directory, dev uint64) error {
	inUse := w.isSpared(d.destAttr.ID()) || w.dirlinks.sources(d.destAttr.ID()) > 0
	switch w.Delete.Emptying(inUse, d.destAttr.Dev != dev) {
	case plan.Spare:
		return errSpared
	case plan.FailMount:
		return vfs.ErrMount
	}
	return nil
}

// allowRemoving lets the owner remove what is in a read-only directory that is
// to go itself, as rsync does, or in a locked one. Whoever is not its owner will hear of it with each entry.
func (w *worker) allowRemoving(d *directory) {
	if !w.Delete.On || w.DryRun {
		return
	}
	w.liftDir(d)
	if d.destAttr.Mode&0o200 == 0 && !w.User.Privileged() {
		_ = d.dst.Chmod(".", d.destAttr.Mode|0o200)
	}
}

// removed ends a part of a removal, and goes on with the directory above if it
// was the last one.
func (w *worker) removed(rm *removal) {
	for rm.pending.Add(-1) == 0 {
		up := rm.parent
		if up == nil {
			w.finishSurvivor(rm)
			return
		}
		gone := w.removeEmpty(rm)
		switch {
		case !gone:
			up.kept.Store(true)
		case up.unfinished != nil:
			up.unfinished.d.touched.Store(true)
		}
		rm = up
	}
}

// removeEmpty removes a directory in which nothing is left, and reports whether it is gone.
func (w *worker) removeEmpty(rm *removal) bool {
	if rm.kept.Load() {
		w.restoreKept(rm)
		w.openRemovals.Release(&rm.Node)
		return false
	}
	dst, err := w.openRemovals.UseParent(&rm.Node)
	// Over SMB a directory that is open stays until it is closed.
	w.openRemovals.Release(&rm.Node)
	d := w.removing(rm.parent)
	if err != nil {
		w.failDir(d, onDest, rm.name, err)
		return false
	}
	defer w.openRemovals.Done(&rm.parent.Node)
	d.dst, d.destAttr.Dev, d.premise = dst, rm.dev, rm.premise
	if !w.rmdir(d, rm.name) {
		w.lifter.RestoreAt(rm.lifted, dst, rm.name)
		return false
	}
	return true
}

// restoreKept restores what was lifted from a directory that was to be removed, and stays.
func (w *worker) restoreKept(rm *removal) {
	if !rm.lifted.Any() {
		return
	}
	if dst, err := w.openRemovals.Use(&rm.Node); err == nil {
		w.lifter.RestoreAt(rm.lifted, dst, ".")
		w.openRemovals.Done(&rm.Node)
	}
}

// finishSurvivor finishes a directory that stays, when all removals from it are done.
func (w *worker) finishSurvivor(rm *removal) {
	defer rm.base.release()
	defer w.openRemovals.Release(&rm.Node)
	if rm.unfinished == nil {
		return
	}
	dst, err := w.openRemovals.Use(&rm.Node)
	if err != nil {
		w.failDir(rm.unfinished.d.open(pair{}), onDest, "", err)
		return
	}
	defer w.openRemovals.Done(&rm.Node)
	w.finishLast(rm.unfinished, pair{dst: dst})
}
