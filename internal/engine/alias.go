package engine

import (
	"psync/internal/engine/alias"
	"psync/internal/engine/job"
	"psync/internal/engine/pairs"
	"psync/internal/engine/source"
	"psync/internal/report"
	"psync/internal/vfs"
)

// deferAliases removes the entries that may be aliases of others from a chunk of a listing.
func (w *worker) deferAliases(d *job.Dir, entries []vfs.Entry) []vfs.Entry {
	var in *source.Scope
	rest, failures := w.aliases.Defer(d.Src, d.Dst, alias.Known{New: d.Fresh(), Folds: d.DstVolume != nil && d.DstVolume.Folds}, entries,
		func(e vfs.Entry) bool {
			if in == nil {
				scope := w.job.Run.Scope(d)
				in = &scope
			}
			return !w.job.Run.Selector.Hides(*in, e.Name, e.Type.IsDir()) && passesPolicy(w.job, d, e)
		})
	for _, f := range failures {
		at := pairs.Source
		if f.OnDest {
			at = pairs.Dest
		}
		job.FailUnseen(w.job, d, at, report.Event{Name: f.Name, IsDir: f.Type.IsDir(), Err: f.Err}, f.Type.IsDir())
	}
	return rest
}

// passesPolicy reports whether the policy allows copying an entry of this type, size and modification time.
func passesPolicy(j *job.Worker, d *job.Dir, e vfs.Entry) bool {
	if !j.Run.Job.Policy.Copies(e.Type) {
		return false
	}
	if e.Type != 0 || !j.Run.Job.Policy.LimitsFiles() {
		return true
	}
	attr, err := j.Stat(d, e)
	return err != nil || !j.Run.Job.Policy.OmitsFile(attr)
}
