package engine

import (
	"context"
	"errors"
	"slices"
	"strings"

	"psync/internal/engine/pairs"
	"psync/internal/plan"
	"psync/internal/vfs"
)

var errEmptySource = errors.New("is empty, so nothing is removed from the destination for its sake; is a volume not mounted? (--force-empty-source)")

// removesFrom reports whether entries that the source lacks are to be removed
// from the destination of d. They are not where only some entries are copied.
func (w *worker) removesFrom(d *directory) bool {
	if !w.Delete.On || d.fresh() || d.Dst == nil || !w.copiesItself(d.jobDir) {
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
func (w *worker) isOperand(d *jobDir) bool {
	return d.task.Path == "" || len(w.Sources[d.task.Source].Names) > 0 && !strings.Contains(d.task.Path, "/")
}

// removeExtraneous removes from the destination what the source lacks, but for
// directories, which it leaves in d.extraneous. It is called when everything else in d is done.
func (w *worker) removeExtraneous(ctx context.Context, d *directory) {
	d.removed = w.removedFrom(d.jobDir)
	x, onSrc, err := w.remover.Extraneous(d.removed, d.names, d.had)
	switch {
	case err != nil && onSrc:
		w.failDir(d.jobDir, pairs.Source, "", err)
		return
	case err != nil:
		w.failDir(d.jobDir, pairs.Dest, "", err)
		return
	case x == nil:
		return
	}
	remove := w.share
	switch w.Policy.Removal(plan.RemovalFacts{
		IsOperand:   w.isOperand(d.jobDir),
		SourceEmpty: !d.listed,
		Again:       d.task.Kind != copyTask,
		Sources:     w.dirlinks.sources(d.destAttr.ID()),
	}) {
	case plan.FailEmptySource:
		w.failDir(d.jobDir, pairs.Source, "", errEmptySource)
		return
	case plan.FailSeveralSources:
		w.failDir(d.jobDir, pairs.Dest, "", errManySources)
		return
	case plan.RemoveLater:
		d.waits.Store(true)
		return
	case plan.CountFirst:
		d.waits.Store(true)
		remove = w.countExtraneous
		_ = remove(ctx, d, x.Dirs)
	case plan.Remove:
		w.openUp(d.jobDir)
		for _, e := range x.Dirs {
			d.extraneous = append(d.extraneous, e.Name)
		}
	}
	err = x.Others(ctx, func(entries []vfs.Entry) error { return remove(ctx, d, entries) })
	if err != nil && ctx.Err() == nil {
		w.failDir(d.jobDir, pairs.Dest, "", err)
	}
}

// countExtraneous counts entries that are to be removed later.
func (w *worker) countExtraneous(ctx context.Context, d *directory, entries []vfs.Entry) error {
	for _, e := range entries {
		w.remover.Count(ctx, d.removed, e)
	}
	return context.Cause(ctx)
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
