package mirror

import (
	"io/fs"

	"psync/internal/engine/job"
	"psync/internal/engine/pairs"
	"psync/internal/report"
	"psync/internal/vfs"
)

// at returns the directory at path, open as dst, which will be removed or emptied with entries of d.
func at(d *job.Dir, path string, dst vfs.Dir) *job.Dir {
	return &job.Dir{Task: job.Task{Source: d.Task.Source, Path: path}, Into: d.Into, Dst: dst}
}

// below returns the directory called name in d, open as dst, which will be removed or emptied.
func below(j *job.Worker, d *job.Dir, name string, dst vfs.Dir) (sub *job.Dir, err error) {
	sub = at(d, d.Position(name).Path(), dst)
	sub.DestAttr, err = vfs.Lstat(dst, ".")
	sub.Task.Original = j.Run.Backups.Original(sub.DestAttr, sub.DestAttr.Mode, d.Task.Original)
	if err == nil {
		err = readRules(j, sub, d.InForce().Dest)
	}
	return sub, err
}

// Deleting reports that an entry of d other than a directory is about to be removed, if that is wanted.
func Deleting(j *job.Worker, d *job.Dir, e vfs.Entry) {
	if j.Run.Reporting.Announced {
		reportAs(j, report.Deleting, d, e)
	}
}

// Deleted reports that an entry of d was removed, or would be in a dry run.
func Deleted(j *job.Worker, d *job.Dir, e vfs.Entry) {
	j.Count.Add(deleted(e.Type), 1)
	if !j.Run.Reporting.Unlisted {
		reportAs(j, report.Delete, d, e)
	}
}

func reportAs(j *job.Worker, kind report.Kind, d *job.Dir, e vfs.Entry) {
	event := report.Event{Kind: kind, Dir: d.Path(""), Name: e.Name, IsDir: e.Type.IsDir()}
	if j.Run.Reporting.OnlyRemoves {
		event.Root = j.Run.Job.Sources[d.Task.Source].Label
	}
	j.Run.Job.Sink.Event(event)
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

// Failed reports that an entry of d, or d itself if the name is "", could not be removed.
func Failed(j *job.Worker, d *job.Dir, why *Premise, e vfs.Entry, err error) {
	var in *job.Dir
	if why != nil {
		in = why.In
	}
	failed(j, d, in, pairs.Dest, report.Event{Name: e.Name, IsDir: e.Type.IsDir(), Err: err})
}

// failed is Failed for entries that are removed because the source of in lacks a name. in may be d itself, or nil.
func failed(j *job.Worker, d, in *job.Dir, side pairs.Side, e report.Event) {
	if in != nil {
		in.Left.Failures.Add(1)
		if in == d {
			d.HasFailures.Store(true)
		}
	}
	place := at(d, d.Position("").Path(), nil)
	place.DestAttr = d.DestAttr
	j.Failed(place, side, e)
}
