package engine

import (
	"psync/internal/engine/pairs"
	"psync/internal/engine/source"
	"psync/internal/report"
	"psync/internal/vfs"
)

// sourceDir returns the source of d.
func (w *worker) sourceDir(d *directory) source.Dir {
	return source.Dir{
		Dir:          d.Src,
		Path:         d.path(""),
		Lineage:      d.lineage,
		AtVolumeRoot: w.keepsVolumeFiles(d),
		AppleDouble:  d.srcVolume != nil && d.srcVolume.AppleDouble,
	}
}

// keepsVolumeFiles reports whether d may have entries that the system keeps for itself.
func (w *worker) keepsVolumeFiles(d *directory) bool { return d.atRoot && w.copiesItself(d) }

// list yields the entries of d that there are to look at, some at a time.
func (w *worker) list(d *directory, yield func([]vfs.Entry) error) error {
	if !w.copiesItself(d) {
		entries, omitted := source.LookUp(d.Src, w.Sources[d.task.Source].Names)
		w.reportOmitted(d, omitted)
		return yield(entries)
	}
	entries, omitted, all := w.selector.Named(w.sourceDir(d))
	w.reportOmitted(d, omitted)
	if all {
		return d.Src.ReadDir(yield)
	}
	return yield(entries)
}

// admit leaves of entries those that take part.
func (w *worker) admit(d *directory, entries []vfs.Entry) []vfs.Entry {
	entries, some, omitted := w.selector.Select(w.sourceDir(d), entries, d.names)
	d.listed = d.listed || some
	w.reportOmitted(d, omitted)
	return w.deferAliases(d, entries)
}

// reportOmitted reports entries of the source that are not copied. Where d is looked at for the second
// time, only failures are new.
func (w *worker) reportOmitted(d *directory, omitted []source.Omission) {
	for _, o := range omitted {
		e := report.Event{Name: o.Name, IsDir: o.IsDir}
		switch o.Err {
		case source.ErrVolumeFile:
			e.Kind = report.VolumeFile
		case source.ErrUnsafe:
			e.Kind, e.Target, e.Err = report.Skip, o.Target, o.Err
		default:
			w.fail(d, pairs.Source, o.Name, o.Err)
			continue
		}
		if d.task.Kind != copyTask {
			continue
		}
		if o.Err == source.ErrUnsafe {
			w.count.Add(report.LinksSeen, 1)
		}
		w.Sink.Event(w.event(d, pairs.Source, e))
	}
}

// stat returns the attributes of an entry of the source: for one that was
// admitted as what it leads to, of that. They are as the copy is to have them.
func (w *worker) stat(d *directory, name string) (vfs.Attr, error) {
	attr, err := source.Stat(d.Src, name, w.Links.Follows())
	w.attrs.Want(&attr, d.asParent())
	return attr, err
}

// open opens a file of the source likewise.
func (w *worker) open(d *directory, name string) (vfs.File, error) {
	return source.OpenFile(d.Src, name, w.Links.Follows())
}
