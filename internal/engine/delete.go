package engine

import (
	"context"
	"errors"
	"slices"
	"strings"

	"psync/internal/engine/job"
	"psync/internal/engine/mirror"
	"psync/internal/engine/pairs"
	"psync/internal/plan"
	"psync/internal/vfs"
)

var (
	errManySources = errors.New("several directories of the source lead to it by links of the destination, so nothing is removed from it")
	errEmptySource = errors.New("is empty, so nothing is removed from the destination for its sake; is a volume not mounted? (--force-empty-source)")
)

// removesFrom reports whether entries that the source lacks are removed from the destination of c.dir. They are not if
// only some entries are copied.
func (w *worker) removesFrom(c *dirClaim) bool {
	d := c.dir
	if !w.job.Run.Job.Delete.On || d.Fresh() || d.Dst == nil || c.recorded.passed != nil || !w.job.Run.CopiesItself(d) || d.Task.Bundle.StaysWhole() && !d.Task.Bundle.RemovesRest() {
		return false
	}
	if d.Task.InUse = d.Task.InUse || w.job.Run.InUse.Has(d.DestAttr.ID()); d.Task.InUse {
		return false
	}
	if w.job.Run.Job.OneLevel && d.Task.Path != "" {
		return false
	}
	if w.job.Run.Job.Files != nil {
		_, all := w.job.Run.Job.Files.Names(d.Path(""))
		return all
	}
	return true
}

// isOperand reports whether the user named d itself, rather than a directory above it.
func isOperand(j *job.Worker, d *job.Dir) bool {
	if j.Run.Job.Files != nil {
		path := d.Path("")
		up := path[:max(strings.LastIndexByte(path, '/'), 0)]
		return path == "" || j.Run.Job.Files.Listed(path) && !j.Run.Job.Files.Listed(up)
	}
	return d.Task.Path == "" || len(j.Run.Job.Sources[d.Task.Source].Names) > 0 && !strings.Contains(d.Task.Path, "/")
}

// removeExtraneous removes from the destination what the source lacks, except directories, which it leaves in
// c.removes.dirs. It is called when everything else in c.dir is done.
func (w *worker) removeExtraneous(ctx context.Context, c *dirClaim) {
	d := c.dir
	x, onSrc, err := mirror.FindExtraneous(w.job, d, c.removes.names, d.Had.Names())
	switch {
	case err != nil && onSrc:
		w.job.FailDir(d, pairs.Source, "", err)
		return
	case err != nil:
		w.job.FailDir(d, pairs.Dest, "", err)
		return
	case x == nil:
		return
	}
	remove := w.share
	switch w.job.Run.Job.Policy.Removal(plan.RemovalFacts{
		IsOperand:   isOperand(w.job, d),
		SourceEmpty: !c.listed,
		Again:       d.Task.Kind != job.Copy,
		Sources:     w.job.Run.DirlinkSources(d.DestAttr.ID()),
	}) {
	case plan.FailEmptySource:
		w.job.FailDir(d, pairs.Source, "", errEmptySource)
		return
	case plan.FailSeveralSources:
		w.job.FailDir(d, pairs.Dest, "", errManySources)
		return
	case plan.RemoveLater:
		w.job.Run.DeferRemovals(d)
		return
	case plan.CountFirst:
		w.job.Run.DeferRemovals(d)
		remove = w.countExtraneous
		_ = remove(ctx, c, x.Dirs)
	case plan.Remove:
		w.job.GrantAccess(d)
		c.removes.asker = mirror.NewAsker(w.job, d)
		for _, e := range x.Dirs {
			c.removes.dirs = append(c.removes.dirs, e.Name)
		}
	}
	err = x.Others(ctx, func(entries []vfs.Entry) error {
		c.removes.asker.Ask(w.job.Run, entries)
		return remove(ctx, c, entries)
	})
	if err != nil && ctx.Err() == nil {
		w.job.FailDir(d, pairs.Dest, "", err)
	}
}

// countExtraneous counts entries that will be removed later.
func (w *worker) countExtraneous(ctx context.Context, c *dirClaim, entries []vfs.Entry) error {
	for _, e := range entries {
		mirror.Count(ctx, w.job, c.dir, e)
	}
	return context.Cause(ctx)
}

// findInUse records the directories that this run works with, wherever they are, because they must not be removed.
func (r *run) findInUse() error {
	dirs := slices.Concat(r.job.Job.Alternatives.Dirs, []vfs.Dir{r.job.Job.Backup.Dir, r.job.Job.TempDir})
	for _, dir := range dirs {
		if dir == nil {
			continue
		}
		attr, err := vfs.Lstat(dir, ".")
		if err != nil {
			return err
		}
		if attr.ID() != r.job.DestID { // otherwise nothing could be removed at all
			r.job.InUse.Add(attr.ID())
		}
	}
	return nil
}
