package entry

import (
	"io/fs"

	"psync/internal/engine/attrs"
	"psync/internal/engine/job"
	"psync/internal/metadata"
	"psync/internal/report"
	"psync/internal/vfs"
)

// differences returns those of an entry that both sides have, but for contents.
func (w *Worker) differences(d *job.Dir, it *item, o *attrs.Desired) report.Diff {
	diff, notes := w.job.Attrs.Differences(d.Volumes(), metadata.Entry{Dir: d.Dst, Name: it.name}, it.there, o)
	w.job.ReportAttrs(d, it.name, &it.flawed, notes)
	return diff
}

// desired returns what the copy of an entry of the source that is not open should have. The caller closes it.
func (w *Worker) desired(d *job.Dir, it *item, attr vfs.Attr) *attrs.Desired {
	o, notes := w.findDesired(d, it.name, attr)
	w.job.ReportAttrs(d, it.name, &it.flawed, notes)
	return o
}

func (w *Worker) findDesired(d *job.Dir, name string, attr vfs.Attr) (*attrs.Desired, attrs.Notes) {
	v := d.Volumes()
	if !w.job.Keep.Extended() {
		return w.job.Attrs.Desired(v, nil, attr)
	}
	switch {
	case !w.job.Links.Follows() || attr.Mode.Type() == fs.ModeSymlink:
		return w.job.Attrs.DesiredAt(v, d.Src, name, attr)
	case !attr.Mode.IsRegular():
		if here, err := d.Src.Lstat(name); err != nil || here.ID() != attr.ID() { // a link of this name leads to it
			return w.job.Attrs.Desired(v, nil, attr)
		}
		return w.job.Attrs.DesiredAt(v, d.Src, name, attr)
	}
	f, err := w.job.Open(d, name) // it may be what a link leads to
	if err != nil {
		return w.job.Attrs.Desired(v, nil, attr)
	}
	o, notes := w.job.Attrs.Desired(v, f, attr)
	o.OwnNode()
	return o, notes
}
