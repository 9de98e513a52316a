package engine

import (
	"io/fs"

	"psync/internal/engine/mirror"
	"psync/internal/engine/pairs"
	"psync/internal/engine/sweep"
	"psync/internal/report"
	"psync/internal/vfs"
)

// removedFrom returns the destination of d as a directory from which entries are removed, after its source
// was asked.
func (w *jobWorker) removedFrom(d *jobDir) *mirror.Dir {
	return &mirror.Dir{
		Dir:          d.Dst,
		At:           d.position(""),
		Into:         d.into,
		Attr:         d.destAttr,
		AtVolumeRoot: w.keepsVolumeFiles(d),
		Volume:       d.dstVolume,
		Counterpart:  &counterpart{jobRun: w.jobRun, d: d.dirInfo, open: d.Pair},
		Src:          d.Src,
		Original:     d.original,
		Backups:      &d.backups,
		Trouble:      &d.trouble,
	}
}

// A removalReporter reports what the remover of its worker does; see [mirror.Reporter].
type removalReporter struct{ *jobWorker }

func (w removalReporter) Deleted(d *mirror.Dir, e vfs.Entry) {
	w.count.Add(deleted(e.Type), 1)
	if w.unlisted {
		return
	}
	event := report.Event{Kind: report.Delete, Dir: d.Path(), Name: e.Name, IsDir: e.Type.IsDir()}
	if w.onlyRemoves {
		event.Root = w.Sources[d.At.Source].Label
	}
	w.Sink.Event(event)
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
	if d.Trouble != nil {
		d.Trouble.Store(true)
	}
	info := &dirInfo{
		task: dirTask{Source: d.At.Source, Path: d.At.Path()}, into: d.Into, inspected: inspected{destAttr: d.Attr},
	}
	w.failed(info.open(pairs.Pair{}), side, e)
}

func (w removalReporter) Left(d *mirror.Dir, t sweep.Temporary) {
	w.leaveTemporary(pairs.Pair{Src: d.Src, Dst: d.Dir}, key{d.At.Source, d.Path()}, t)
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
