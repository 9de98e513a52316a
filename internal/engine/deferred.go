package engine

import (
	"cmp"
	"context"
	"slices"

	"psync/internal/engine/attrs"
	"psync/internal/engine/job"
	"psync/internal/engine/pairs"
	"psync/internal/metadata"
	"psync/internal/report"
	"psync/internal/vfs"
)

// mayCopyUp reports whether work elsewhere may still copy an entry of d to an upper layer, which could undo setting
// the times of d. The first change in a subdirectory does so, and so do further names of a file.
func mayCopyUp(j *job.Worker, d *job.Dir) bool {
	return d.DstVolume.CopiesUp && !d.Fresh() &&
		(d.Children.Load() || j.Run.Job.HardLinks || d.Task.Kind == job.Clear || len(j.Run.Job.Sources) > 1)
}

// deferDir defers operations on d until applyDeferred.
func (r *run) deferDir(d *job.Dir, ops []metadata.Op) {
	if len(ops) == 0 {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	d.Remaining.Add(1)
	r.deferred = append(r.deferred, job.Deferral{Dir: d.DirInfo, Ops: ops})
}

// applyDeferred applies the deferred operations when everything else is done: the deepest directories first, as many
// at once as there are workers. It also does so after an interrupt, because these directories are complete.
func (r *run) applyDeferred() {
	w := r.worker()
	for path, err := range r.job.Backups.Finish() {
		w.job.FailDir(new(job.DirInfo).Open(pairs.Pair{}), pairs.Dest, path, err)
	}
	for _, l := range r.job.Locks.All {
		applyOne(w.job, l)
	}
	all := slices.Concat(r.job.Locks.All, r.deferred)
	r.deferred = lastOfEach(r.deferred)
	slices.SortFunc(r.deferred, func(a, b job.Deferral) int { return cmp.Compare(b.Depth(), a.Depth()) })
	workers := r.newWorkers(len(r.deferred))
	for rest := r.deferred; len(rest) > 0; {
		n := slices.IndexFunc(rest, func(m job.Deferral) bool { return m.Depth() != rest[0].Depth() })
		if n < 0 {
			n = len(rest)
		}
		each(workers, n, func(w *worker, i int) { applyOne(w.job, rest[i]) })
		rest = rest[n:]
	}
	for _, m := range all {
		w.job.Run.EndWork(context.Background(), m.Dir)
	}
}

// lastOfEach returns the last deferral of each directory. If a directory was finished twice, or has several sources,
// its last deferral holds everything that is left to do, and the first may lock it.
func lastOfEach(all []job.Deferral) []job.Deferral {
	at := make(map[vfs.ID]int, len(all))
	var last []job.Deferral
	for _, m := range all {
		id := m.Dir.DestAttr.ID()
		if i, found := at[id]; found {
			last[i] = m
			continue
		}
		at[id] = len(last)
		last = append(last, m)
	}
	return last
}

func applyOne(j *job.Worker, m job.Deferral) {
	d := m.Dir.Open(pairs.Pair{})
	if j.Run.MayGetBackupDir(d) && !d.TimesChanged.Load() && !j.Run.Backups.MadeDir() {
		restores := func(op metadata.Op) bool { return op.Class == metadata.Times && op.Diff == 0 }
		if m.Ops = slices.DeleteFunc(m.Ops, restores); len(m.Ops) == 0 {
			return // nothing has changed the times
		}
	}
	dir, closeDir, err := j.Run.Reopen(d.DirInfo)
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
