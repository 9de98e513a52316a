package engine

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"strings"

	"psync/internal/engine/attrs"
	"psync/internal/engine/backup"
	"psync/internal/engine/mirror"
	"psync/internal/engine/pairs"
	"psync/internal/engine/source"
	"psync/internal/vfs"
)

// A removal is a directory that is being removed, or one that others are removed from.
type removal = mirror.Removal[removalState]

// A removalState is what engine knows of a removal.
type removalState struct {
	premise    *premise         // why it is removed; nil if that does not depend on a source
	original   *backup.Original // its attributes when it was listed
	lifted     *attrs.Lifted    // from it, until it is removed
	unfinished *unfinished      // what to finish when all removals from it are done, or nil
}

// removalTask returns the task to remove a directory.
func removalTask(rm *removal) task { return task{Kind: removeTask, Source: rm.Source, removal: rm} }

// childRemoval returns the removal of a subdirectory of rm, for the same reason.
func childRemoval(rm *removal, name string, dev uint64) *removal {
	sub := rm.Child(name, dev)
	sub.State.premise = rm.State.premise
	return sub
}

// putRemovals puts tasks to remove the extraneous directories of d, which is to be finished as u when
// they are gone.
func (w *worker) putRemovals(d *directory, u *unfinished) {
	base := &destBase{d: d.dirInfo, dest: d.task.dirs.Dest()}
	base.dest.Retain()
	base.dest.Expect(d.destAttr.ID())
	up := w.removals.In(base, d.task.Source)
	up.State = removalState{unfinished: u, original: d.original}
	d.task.dirs.Retain() // to ask the source
	for _, name := range d.extraneous {
		rm := up.Child(name, d.destAttr.Dev)
		rm.State.premise = newPremise(d.dirInfo, pairs.Pair{}, name, false)
		d.claim.Put(removalTask(rm))
	}
	w.finishRemoval(up)
}

// removeDirectory empties one directory of the destination.
func (w *worker) removeDirectory(ctx context.Context, c *claim) {
	rm := c.Task().removal
	d := w.removing(rm)
	d.claim = c
	w.doing.Set(d.position(""))
	dst, err := rm.Use()
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) { // then there is nothing to do
			w.failDir(d, pairs.Dest, "", err)
			rm.Keep()
		}
		w.finishRemoval(rm)
		c.Ack()
		return
	}
	d.Dst = dst
	w.newWorklist(d, removedEntries{d})
	if rm.Parent == nil {
		w.removeOperands(ctx, d)
	} else {
		w.empty(ctx, d)
	}
	d.list.Finish(ctx, w)
}

// removing returns the directory of rm, without what is open.
func (w *worker) removing(rm *removal) *directory {
	d := w.infoOf(removalTask(rm)).open(pairs.Pair{})
	d.removal, d.premise = rm, rm.State.premise
	return d
}

// removedEntries are entries, no directories, of a directory that is removed itself.
type removedEntries struct{ *directory }

func (d removedEntries) Begin(w *worker) { w.doing.Set(d.position("")) }

func (d removedEntries) Do(ctx context.Context, w *worker, e vfs.Entry) {
	if ctx.Err() == nil && !w.removeEntry(ctx, d.directory, e) {
		d.removal.Keep()
	}
}

func (d removedEntries) Then(ctx context.Context, w *worker) {
	d.closeOthers()
	d.removal.Done()
	if ctx.Err() == nil {
		w.finishRemoval(d.removal)
	}
	d.claim.Ack()
}

// empty removes the entries of d, and puts tasks to remove its subdirectories.
func (w *worker) empty(ctx context.Context, d *directory) {
	rm := d.removal
	attr, err := d.Dst.Lstat(".")
	d.destAttr = attr
	rm.SetID(attr.ID())
	if errors.Is(err, fs.ErrNotExist) {
		return // somebody else was faster
	}
	if err == nil {
		err = w.guard.MayEmpty(attr, rm.Dev)
	}
	if err != nil {
		rm.Keep()
		if err != mirror.ErrInUse {
			w.failDir(d, pairs.Dest, "", err)
		}
		return
	}
	d.original = w.backups.Original(attr, attr.Mode, rm.Parent.State.original)
	rm.State.original = d.original
	w.allowRemoving(d)
	rm.State.lifted = d.lifted
	d.dstVolume = w.volumes.Of(d.Dst, attr)
	d.farDest = d.dstVolume.Network
	at := w.cleared(d)
	err = d.Dst.ReadDir(func(entries []vfs.Entry) error {
		entries = slices.DeleteFunc(entries, func(e vfs.Entry) bool {
			switch {
			case d.dstVolume.AppleDouble && source.IsAppleDouble(d.Dst, e.Name): // it goes with that, or stays
				return true
			case w.keeps(d, &at, e):
				rm.Keep()
				return true
			}
			return false
		})
		for _, e := range entries {
			if !e.Type.IsDir() {
				continue
			}
			d.claim.Put(removalTask(childRemoval(rm, strings.Clone(e.Name), rm.Dev)))
		}
		return w.share(ctx, d, slices.DeleteFunc(entries, isDir))
	})
	if err != nil && ctx.Err() == nil && !errors.Is(err, fs.ErrNotExist) {
		rm.Keep()
		w.failDir(d, pairs.Dest, "", err)
	}
}

// allowRemoving lets the owner remove what is in a read-only directory that is
// to go itself, as rsync does, or in a locked one. If we are not the owner, chmod fails here and each entry reports EACCES.
func (w *worker) allowRemoving(d *directory) {
	if !w.Delete.On || w.DryRun {
		return
	}
	w.liftDir(d)
	if d.destAttr.Mode&0o200 == 0 && !w.User.Privileged() {
		_ = d.Dst.Chmod(".", d.destAttr.Mode|0o200)
	}
}

// finishRemoval ends a part of a removal, and goes on with the directory above if it
// was the last one.
func (w *worker) finishRemoval(rm *removal) { rm.Finish(w.removeEmpty, w.finishBase) }

// removeEmpty removes a directory in which nothing is left, and reports whether it is gone.
func (w *worker) removeEmpty(rm *removal) bool {
	if rm.IsKept() {
		w.restoreKept(rm)
		rm.Close()
		return false
	}
	dst, err := rm.UseParent()
	// Over SMB a directory that is open stays until it is closed.
	rm.Close()
	d := w.removing(rm.Parent)
	if err != nil {
		w.failDir(d, pairs.Dest, rm.Name, err)
		return false
	}
	defer rm.Parent.Done()
	d.Dst, d.destAttr.Dev, d.premise = dst, rm.Dev, rm.State.premise
	if !w.rmdir(d, rm.Name) {
		w.lifter.RestoreAt(rm.State.lifted, dst, rm.Name)
		return false
	}
	if u := rm.Parent.State.unfinished; u != nil {
		u.d.touched.Store(true)
	}
	return true
}

// restoreKept restores what was lifted from a directory that was to be removed, and stays.
func (w *worker) restoreKept(rm *removal) {
	if !rm.State.lifted.Any() {
		return
	}
	if dst, err := rm.Use(); err == nil {
		w.lifter.RestoreAt(rm.State.lifted, dst, ".")
		rm.Done()
	}
}

// finishBase finishes a directory that stays, when all removals from it are done.
func (w *worker) finishBase(rm *removal) {
	defer rm.Close()
	u := rm.State.unfinished
	if u == nil {
		return
	}
	dst, err := rm.Use()
	if err != nil {
		w.failDir(u.d.open(pairs.Pair{}), pairs.Dest, "", err)
		return
	}
	defer rm.Done()
	w.finishLast(u, pairs.Pair{Dst: dst})
}
