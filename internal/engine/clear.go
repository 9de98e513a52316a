package engine

import (
	"context"
	"errors"
	"io/fs"
	"strings"
	"syscall"

	"psync/internal/engine/mirror"
	"psync/internal/engine/pairs"
	"psync/internal/report"
	"psync/internal/vfs"
)

// clear empties the directory called name, so that something else can take its
// place, and reports whether that worked. It is rare, and so not parallel.
func (w *worker) clear(ctx context.Context, d *directory, name string) bool {
	dst, err := mirror.OpenDir(d.Dst, name, w.Delete.CrossMounts)
	if err != nil {
		w.failDir(d, pairs.Dest, name, err)
		return false
	}
	defer dst.Close()
	sub, err := w.below(d, name, dst)
	if err == nil {
		err = w.guard.MayEmpty(sub.destAttr, d.destAttr.Dev)
	}
	if err != nil {
		if err != mirror.ErrInUse {
			w.failDir(d, pairs.Dest, name, err)
		}
		return false
	}
	defer sub.closeOthers()
	w.allowRemoving(sub)
	defer func() { w.lifter.RestoreAt(sub.lifted, sub.Dst, ".") }() // rmdir lifts the locks again
	at := w.cleared(sub)
	var entries []vfs.Entry
	err = dst.ReadDir(func(some []vfs.Entry) error {
		for _, e := range some {
			entries = append(entries, vfs.Entry{Name: strings.Clone(e.Name), Type: e.Type})
		}
		return nil
	})
	empty := err == nil
	if !empty {
		w.failDir(d, pairs.Dest, name, err)
	}
	for _, e := range entries {
		switch {
		case ctx.Err() != nil:
			return false
		case w.keeps(sub, &at, e):
			empty = false
		case e.Type.IsDir():
			empty = w.clear(ctx, sub, e.Name) && w.rmdir(sub, e.Name) && empty
		default:
			empty = w.removeEntry(ctx, sub, e) && empty
		}
	}
	return empty
}

// below returns the directory called name in the destination of d, as one that
// is to be removed.
func (w *worker) below(d *directory, name string, dst vfs.Dir) (*directory, error) {
	b := (&dirInfo{task: d.task, into: d.into}).open(pairs.Pair{Dst: dst})
	b.task.Path = vfs.Join(d.taskPath(), name)
	b.premise = d.premise
	if b.premise == nil && d.Src != nil {
		b.premise = newPremise(d.dirInfo, d.Pair, name, true)
	}
	var err error
	b.destAttr, err = dst.Lstat(".")
	b.original = w.backups.Original(b.destAttr, b.destAttr.Mode, d.original)
	return b, err
}

// rmdir removes an empty directory, and reports whether it is gone.
func (w *worker) rmdir(d *directory, name string) bool {
	if !w.stillHolds(d.premise) || !w.spend() {
		return false
	}
	if !w.DryRun {
		err := w.lifter.Rmdir(d.Dst, name)
		if notEmpty(err) && w.clear(context.Background(), d, name) {
			// Some systems leave entries out of a listing while others are removed.
			err = w.lifter.Rmdir(d.Dst, name)
		}
		if errors.Is(err, fs.ErrNotExist) {
			return true // somebody else was faster
		}
		if err != nil {
			w.failDir(d, pairs.Dest, name, err)
			return false
		}
	}
	w.count.Add(report.DirsDeleted, 1)
	w.emit(d, report.Event{Kind: report.Delete, Name: name, IsDir: true})
	return true
}

func notEmpty(err error) bool {
	return errors.Is(err, syscall.ENOTEMPTY) || errors.Is(err, syscall.EEXIST)
}
