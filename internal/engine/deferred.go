package engine

import (
	"cmp"
	"context"
	"slices"

	"psync/internal/engine/attrs"
	"psync/internal/engine/backup"
	"psync/internal/engine/dirs"
	"psync/internal/engine/job"
	"psync/internal/engine/pairs"
	"psync/internal/lazymap"
	"psync/internal/metadata"
	"psync/internal/report"
	"psync/internal/vfs"
)

// mayCopyUp reports whether work elsewhere may still copy an entry of d to an upper layer, which could undo setting
// the times of d. The first change in a subdirectory does so, and so do further names of a file.
func mayCopyUp(j *job.Worker, d *job.Dir) bool {
	return d.DstVolume.CopiesUp && !d.Fresh() &&
		(job.AwaitsOthers(d) || j.Run.Job.HardLinks || d.Task.Kind == job.Clear || len(j.Run.Job.Sources) > 1)
}

// deferDir defers operations on d until everything else is done. If a directory was finished twice, or has several
// sources, only what is deferred last is applied: it holds everything that is left to do, and the first may lock it.
func (r *run) deferDir(d *job.Dir, ops []metadata.Op) {
	if len(ops) == 0 {
		return
	}
	m := &job.Deferral{Dir: d, Ops: ops}
	r.addDeferred(d.DestAttr.ID(), m)
	r.job.ApplyLast(m)
}

func (r *run) addDeferred(id vfs.ID, m *job.Deferral) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if before := r.deferred[id]; before != nil {
		m.Dir.Left.Hold(before.Dir)
	}
	lazymap.Set(&r.deferred, id, m)
}

// endEntries ends the work on entries, after which deferred operations are applied. It is also called when the run was
// interrupted, because the directories that have these are complete.
func (r *run) endEntries(ctx context.Context, w *worker) {
	if ctx.Err() == nil {
		w.job.ReportBrokenDirlinks()
	}
	if r.tempDir != nil {
		dirs.SweepAgain(w.job, r.tempDir)
	}
	r.ended = r.stopped(context.Cause(ctx))
}

// applyToBackup sets the last attributes of a directory for backups.
func applyToBackup(j *job.Worker, a *backup.DirAttrs) {
	if err := j.Run.Backups.Apply(a); err != nil {
		j.FailDir(new(job.Dir), pairs.Dest, a.Path, err)
	}
}

// isSuperseded reports whether operations on the directory of m were deferred again after m.
func (r *run) isSuperseded(m *job.Deferral) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return m.Name == "" && r.deferred[m.Dir.DestAttr.ID()] != m
}

// applyDeferred applies deferred operations. Those on files come before those on their directories.
func applyDeferred(j *job.Worker, m *job.Deferral) {
	d := m.Dir
	if j.Run.MayGetBackupDir(d) && !d.TimesChanged.Load() && !j.Run.Backups.MadeDir() {
		restores := func(op metadata.Op) bool { return op.Class == metadata.Times && op.Diff == 0 }
		if m.Ops = slices.DeleteFunc(m.Ops, restores); len(m.Ops) == 0 {
			return // nothing has changed the times
		}
	}
	dir, closeDir, err := j.Run.Reopen(d)
	if err == nil {
		var notes attrs.Notes
		at := metadata.Entry{Dir: dir, Name: cmp.Or(m.Name, ".")}
		notes, err = j.Attrs.ApplyDeferred(d.DstVolume, at, m.Ops)
		j.ReportAttrs(d, m.Name, new(bool), notes)
		closeDir()
	}
	if err != nil {
		j.Failed(d, pairs.Dest, report.Event{Name: m.Name, IsDir: m.Name == "", Err: err})
	}
}
