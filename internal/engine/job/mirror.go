package job

import (
	"io/fs"

	"psync/internal/engine/mirror"
	"psync/internal/engine/pairs"
	"psync/internal/engine/sweep"
	"psync/internal/report"
	"psync/internal/vfs"
)

// MirrorDir returns the destination of d as a directory from which entries are removed once its source has been
// checked.
func (r *Run) MirrorDir(d *Dir) *mirror.Dir {
	return &mirror.Dir{
		Dir:          d.Dst,
		At:           d.Position(""),
		Into:         d.Into,
		Attr:         d.DestAttr,
		AtVolumeRoot: r.keepsVolumeFiles(d),
		Volume:       d.DstVolume,
		Rules:        d.InForce().Dest,
		Counterpart:  counterpart(r, d),
		FarSource:    d.SrcVolume != nil && d.SrcVolume.Network,
		Src:          d.Src,
		Original:     d.Original,
		Backups:      &d.backups,
		HasFailures:  &d.HasFailures,
		Failures:     &d.Failures,
	}
}

// A removalReporter reports what the remover of its worker does; see [mirror.Reporter].
type removalReporter struct{ *Worker }

func (w removalReporter) Deleting(d *mirror.Dir, e vfs.Entry) {
	if w.Run.Announced {
		w.report(report.Deleting, d, e)
	}
}

func (w removalReporter) Deleted(d *mirror.Dir, e vfs.Entry) {
	w.Count.Add(deleted(e.Type), 1)
	if !w.Run.Unlisted {
		w.report(report.Delete, d, e)
	}
}

func (w removalReporter) report(kind report.Kind, d *mirror.Dir, e vfs.Entry) {
	event := report.Event{Kind: kind, Dir: d.Path(), Name: e.Name, IsDir: e.Type.IsDir()}
	if w.Run.OnlyRemoves {
		event.Root = w.Run.Sources[d.At.Source].Label
	}
	w.Run.Sink.Event(event)
}

func (w removalReporter) Failed(d *mirror.Dir, e vfs.Entry, err error) {
	w.failedIn(d, pairs.Dest, report.Event{Name: e.Name, IsDir: e.Type.IsDir(), Err: err})
}

func (w removalReporter) Unknown(d *mirror.Dir, name string, onSource bool, err error) {
	side := pairs.Dest
	if onSource {
		side = pairs.Source
	}
	w.failedIn(d, side, report.Event{Name: name, Err: err})
}

func (w removalReporter) failedIn(d *mirror.Dir, side pairs.Side, e report.Event) {
	if d.HasFailures != nil {
		d.HasFailures.Store(true)
	}
	if d.Failures != nil {
		d.Failures.Add(1)
	}
	info := &DirInfo{
		Task: Task{Source: d.At.Source, Path: d.At.Path()}, Into: d.Into, Inspected: Inspected{DestAttr: d.Attr},
	}
	w.Worker.Failed(info.Open(pairs.Pair{}), side, e)
}

func (w removalReporter) Left(d *mirror.Dir, t sweep.Temporary) {
	w.Run.LeaveTemporary(pairs.Pair{Src: d.Src, Dst: d.Dir}, Key{d.At.Source, d.Path()}, t)
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
