package engine

import (
	"slices"

	"psync/internal/engine/dirnames"
	"psync/internal/engine/dirs"
	"psync/internal/engine/job"
	"psync/internal/engine/pairs"
	"psync/internal/engine/source"
	"psync/internal/report"
	"psync/internal/vfs"
)

// list yields the entries of c.dir to look at, some at a time.
func (w *worker) list(c *dirClaim, yield func([]vfs.Entry) error) error {
	d := c.dir
	if c.recorded.passed != nil {
		return yield(c.recorded.passed)
	}
	if d.Task.Bundle.SetsAttrs() {
		return nil
	}
	if w.job.Run.Job.OneLevel && d.Task.Path != "" {
		return nil
	}
	if d.Task.Path == "" && len(w.job.Run.Job.Sources[d.Task.Source].Names) > 0 {
		entries, omitted := lookUpOperands(w.job, d)
		reportOmitted(w.job, d, omitted)
		return yield(entries)
	}
	entries, omitted, all := w.job.Run.Selector.Named(d.Src, w.job.Run.Scope(d))
	reportOmitted(w.job, d, omitted)
	switch {
	case all && w.job.Run.Job.RemoveSource && !w.job.Run.Job.DryRun && !w.job.Run.Job.RemovesSourceLast(): // otherwise nothing is removed before the end
		return listWhole(d, yield)
	case all:
		return w.listOnce(d, yield)
	}
	return yield(entries)
}

// listOnce yields the entries of the source of d some at a time, each name once. A file system may list names again
// when the directory changes: smbfs starts over if the entry that it listed last is gone. The local ones of Linux do
// not, so their names need not be kept.
func (w *worker) listOnce(d *job.Dir, yield func([]vfs.Entry) error) error {
	v := d.SrcVolume
	mayRepeat := v == nil || v.Network || v.Folds || !v.KeepsAttrs
	names := w.names.Emptied()
	err := d.Src.ReadDir(func(entries []vfs.Entry) error {
		if mayRepeat {
			names.Grow(len(entries))
			entries = slices.DeleteFunc(entries, func(e vfs.Entry) bool { return !names.Add(dirnames.Hash(e.Name)) })
		}
		return yield(entries)
	})
	w.names = names
	return err
}

// lookUpOperands returns the entries that the user has named of d, the root of a source.
func lookUpOperands(j *job.Worker, d *job.Dir) ([]vfs.Entry, []source.Omission) {
	names := j.Run.Job.Sources[d.Task.Source].Names
	if j.Run.Job.Files != nil {
		return j.Run.Selector.LookUpListed(d.Src, j.Run.Scope(d), names)
	}
	return source.LookUp(d.Src, names)
}

// admit returns the entries that take part.
func (w *worker) admit(c *dirClaim, entries []vfs.Entry) []vfs.Entry {
	d := c.dir
	if w.job.Run.Reporting.Rest && d.Task.Kind == job.Copy {
		dirs.ReportRules(w.job, d, entries)
	}
	entries, some, omitted := w.job.Run.Selector.Select(d.Src, w.job.Run.Scope(d), entries, c.removes.names)
	c.listed = c.listed || some
	c.recorded.entries += int64(len(entries))
	reportOmitted(w.job, d, omitted)
	return w.deferAliases(d, entries)
}

// reportOmitted reports entries of the source that are not copied. When d is looked at for the second time, only
// failures are new.
func reportOmitted(j *job.Worker, d *job.Dir, omitted []source.Omission) {
	for _, o := range omitted {
		e := report.Event{Name: o.Name, IsDir: o.IsDir}
		switch o.Err {
		case source.ErrVolumeFile:
			e.Kind = report.VolumeFile
		case source.ErrUnsafe:
			e.Kind, e.Target, e.Err, e.Why = report.Skip, o.Target, o.Err, report.Unsafe
		default:
			job.FailUnseen(j, d, pairs.Source, report.Event{Name: o.Name, Err: o.Err}, o.IsDir)
			continue
		}
		if d.Task.Kind != job.Copy {
			continue
		}
		if o.Err == source.ErrUnsafe {
			j.Count.Add(report.LinksSeen, 1)
			j.Count.Add(report.OthersSkipped, 1)
		}
		j.Run.Job.Sink.Event(j.Run.Event(d, pairs.Source, e))
	}
}
