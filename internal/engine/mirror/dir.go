package mirror

import (
	"io/fs"

	"psync/internal/engine/job"
	"psync/internal/engine/pairs"
	"psync/internal/report"
	"psync/internal/vfs"
)

// A Dir is a directory of the destination from which entries are removed: because the source of the directory lacks
// them, or because it is removed itself. In that case it has no source.
type Dir struct {
	*job.Dir
	Premise *Premise // why everything in it is removed; nil: see pair

	// pair is the directory whose source is checked: this one, each entry of which is removed because the source has
	// none of its name, or the one that this one is removed from. If it is nil, removals do not depend on a source.
	pair  *job.DirInfo
	asker *asker // may be nil
}

// Of returns the destination of d as a directory from which entries are removed once its source has been checked.
func Of(d *job.Dir) *Dir { return &Dir{Dir: d, pair: d.DirInfo} }

// isCounterpart reports whether each entry of d is checked with the source of d.
func (d *Dir) isCounterpart() bool { return d.pair == d.DirInfo }

// at returns the directory at path, open as dst, which will be removed or emptied for the same reason as d.
func (d *Dir) at(path string, dst vfs.Dir) *Dir {
	info := &job.DirInfo{Task: job.Task{Source: d.Task.Source, Path: path}, Into: d.Into}
	return &Dir{Dir: info.Open(pairs.Pair{Dst: dst}), Premise: d.Premise, pair: d.pair}
}

// below returns the directory called name in d, open as dst, which will be removed or emptied.
func below(j *job.Worker, d *Dir, name string, dst vfs.Dir) (*Dir, error) {
	sub := d.at(d.Position(name).Path(), dst)
	if sub.Premise == nil && d.isCounterpart() {
		sub.Premise = &Premise{Name: name, Replaces: true, In: d}
	}
	var err error
	sub.DestAttr, err = dst.Lstat(".")
	sub.Original = j.Run.Backups.Original(sub.DestAttr, sub.DestAttr.Mode, d.Original)
	if err == nil {
		err = readRules(j, sub, d.InForce().Dest)
	}
	return sub, err
}

// Deleting reports that an entry of d other than a directory is about to be removed, if that is wanted.
func Deleting(j *job.Worker, d *Dir, e vfs.Entry) {
	if j.Run.Announced {
		reportAs(j, report.Deleting, d, e)
	}
}

// Deleted reports that an entry of d was removed, or would be in a dry run.
func Deleted(j *job.Worker, d *Dir, e vfs.Entry) {
	j.Count.Add(deleted(e.Type), 1)
	if !j.Run.Unlisted {
		reportAs(j, report.Delete, d, e)
	}
}

func reportAs(j *job.Worker, kind report.Kind, d *Dir, e vfs.Entry) {
	event := report.Event{Kind: kind, Dir: d.Path(""), Name: e.Name, IsDir: e.Type.IsDir()}
	if j.Run.OnlyRemoves {
		event.Root = j.Run.Sources[d.Task.Source].Label
	}
	j.Run.Sink.Event(event)
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
func Failed(j *job.Worker, d *Dir, e vfs.Entry, err error) {
	failed(j, d, pairs.Dest, report.Event{Name: e.Name, IsDir: e.Type.IsDir(), Err: err})
}

func failed(j *job.Worker, d *Dir, side pairs.Side, e report.Event) {
	if d.isCounterpart() {
		d.HasFailures.Store(true)
	}
	if d.pair != nil {
		d.pair.Failures.Add(1)
	}
	at := d.at(d.Position("").Path(), nil)
	at.DestAttr = d.DestAttr
	j.Failed(at.Dir, side, e)
}
