package engine

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"strings"

	"psync/internal/engine/mirror"
	"psync/internal/engine/pairs"
	"psync/internal/engine/source"
	"psync/internal/plan"
	"psync/internal/report"
	"psync/internal/vfs"
)

var errEmptySource = errors.New("is empty, so nothing is removed from the destination for its sake; is a volume not mounted? (--force-empty-source)")

// removesFrom reports whether entries that the source lacks are to be removed
// from the destination of d. They are not where only some entries are copied.
func (w *worker) removesFrom(d *directory) bool {
	if !w.Delete.On || d.fresh() || d.Dst == nil || !w.copiesItself(d) {
		return false
	}
	if d.task.InUse = d.task.InUse || w.inUse.Has(d.destAttr.ID()); d.task.InUse {
		return false
	}
	if w.Files != nil {
		_, all := w.Files.Names(d.path(""))
		return all && w.Recurse
	}
	return true
}

// isOperand reports whether d is what the user named, not something below it.
func (w *worker) isOperand(d *directory) bool {
	return d.task.Path == "" || len(w.Sources[d.task.Source].Names) > 0 && !strings.Contains(d.task.Path, "/")
}

// removeExtraneous removes from the destination what the source lacks, but for
// directories, which it leaves in d.extraneous. It is called when everything else in d is done.
func (w *worker) removeExtraneous(ctx context.Context, d *directory) {
	at := w.cleared(d)
	p := mirror.Pair{
		Src: d.Src, Dst: d.Dst, Names: d.names, Had: d.had,
		Keeps: func(e vfs.Entry) bool {
			return w.keeps(d, &at, e) || d.dstVolume.AppleDouble && source.IsAppleDouble(d.Dst, e.Name)
		},
		Failed: func(name string, err error) { w.fail(d, pairs.Dest, name, err) },
	}
	x, onSrc, err := p.Extraneous(&w.budget)
	switch {
	case err != nil && onSrc:
		w.failDir(d, pairs.Source, "", err)
		return
	case err != nil:
		w.failDir(d, pairs.Dest, "", err)
		return
	case x == nil:
		return
	}
	remove := w.share
	switch w.Policy.Removal(plan.RemovalFacts{
		IsOperand:   w.isOperand(d),
		SourceEmpty: !d.listed,
		Again:       d.task.Kind != copyTask,
		Sources:     w.dirlinks.sources(d.destAttr.ID()),
	}) {
	case plan.FailEmptySource:
		w.failDir(d, pairs.Source, "", errEmptySource)
		return
	case plan.FailSeveralSources:
		w.failDir(d, pairs.Dest, "", errManySources)
		return
	case plan.RemoveLater:
		d.waits.Store(true)
		return
	case plan.CountFirst:
		d.waits.Store(true)
		remove = w.countExtraneous
		_ = remove(ctx, d, x.Dirs)
	case plan.Remove:
		w.openUp(d)
		for _, e := range x.Dirs {
			d.extraneous = append(d.extraneous, e.Name)
		}
	}
	err = x.Others(ctx, func(entries []vfs.Entry) error { return remove(ctx, d, entries) })
	if err != nil && ctx.Err() == nil {
		w.failDir(d, pairs.Dest, "", err)
	}
}

// countExtraneous counts entries that are to be removed later.
func (w *worker) countExtraneous(ctx context.Context, d *directory, entries []vfs.Entry) error {
	w.countRemovals(ctx, d, entries)
	return context.Cause(ctx)
}

// cleared returns the destination of d, from which entries are removed.
func (w *worker) cleared(d *directory) mirror.Dir {
	return mirror.Dir{
		Dir: d.Dst, Attr: d.destAttr, AtVolumeRoot: w.keepsVolumeFiles(d),
		Path: func() string { return d.path("") },
	}
}

// keeps reports whether an entry of the destination of d, which is at, must survive though the
// source lacks it.
func (w *worker) keeps(d *directory, at *mirror.Dir, e vfs.Entry) bool {
	keeps, left := w.guard.Keeps(at, e)
	if left.Name != "" {
		w.leaveTemporary(d, left)
	}
	return keeps
}

// findInUse finds out which directories, wherever they are, must not be
// removed: those that this run works with.
func (r *run) findInUse() error {
	dirs := slices.Concat(r.Alternatives.Dirs, []vfs.Dir{r.Backup.Dir, r.TempDir})
	for _, dir := range dirs {
		if dir == nil {
			continue
		}
		attr, err := dir.Lstat(".")
		if err != nil {
			return err
		}
		if attr.ID() != r.destID { // or else nothing could be removed at all
			r.inUse.Add(attr.ID())
		}
	}
	return nil
}

// removeEntry removes an entry that is no directory, and reports whether it has
// left the directory: as its own backup it may stay there.
func (w *worker) removeEntry(ctx context.Context, d *directory, e vfs.Entry) bool {
	w.doing.SetName(e.Name)
	defer w.doing.SetName("")
	if !w.stillHolds(premiseFor(d, e.Name)) || !w.spend() {
		return false
	}
	if !w.DryRun {
		err := w.removeOrBackUp(ctx, d, e.Name)
		switch {
		case err == nil:
		case ctx.Err() != nil:
			return false
		case errors.Is(err, fs.ErrNotExist) && !w.Backup.On, w.isGone(d, e.Name):
			return true
		default:
			w.fail(d, pairs.Dest, e.Name, err)
			return false
		}
	}
	w.count.Add(deleted(e.Type), 1)
	w.emit(d, report.Event{Kind: report.Delete, Name: e.Name})
	return !w.Backup.On || !w.Backup.InPlace() || w.Process.Abandoned(e.Name)
}

// isGone reports whether the destination has no entry of this name any more.
func (w *worker) isGone(d *directory, name string) bool {
	_, err := d.Dst.Lstat(name)
	return errors.Is(err, fs.ErrNotExist)
}

func deleted(t fs.FileMode) report.Count {
	switch t {
	case 0:
		return report.FilesDeleted
	case fs.ModeDir:
		return report.DirsDeleted
	case fs.ModeSymlink:
		return report.LinksDeleted
	}
	return report.SpecialsDeleted
}
