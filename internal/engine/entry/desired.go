package entry

import (
	"io/fs"

	"psync/internal/engine/attrs"
	"psync/internal/engine/job"
	"psync/internal/report"
	"psync/internal/vfs"
)

// differences returns the differences, other than in contents, of an entry that both sides have.
func differences(j *job.Worker, d *job.Dir, it *item, o *attrs.Desired) report.Diff {
	diff, notes := j.Attrs.Differences(d.Volumes(), d.Dst, d.Had.Existing(it.name, it.there), it.there, o)
	j.ReportAttrs(d, it.name, &it.flawed, notes)
	return diff
}

// desired returns the attributes that the copy of an entry of the source that is not open should have. The caller
// closes it.
func desired(j *job.Worker, d *job.Dir, it *item, attr vfs.Attr) *attrs.Desired {
	o, notes := findDesired(j, d, it.listed(), attr)
	j.ReportAttrs(d, it.name, &it.flawed, notes)
	return o
}

func findDesired(j *job.Worker, d *job.Dir, e vfs.Entry, attr vfs.Attr) (*attrs.Desired, attrs.Notes) {
	v := d.Volumes()
	if !j.Run.Job.Keep.Extended() {
		return j.Attrs.Desired(v, nil, attr)
	}
	switch {
	case !j.Run.Job.Links.Follows() || attr.Mode.Type() == fs.ModeSymlink:
		return j.Attrs.DesiredAt(v, d.Src, e, attr)
	case !attr.Mode.IsRegular():
		if here, err := vfs.Lstat(d.Src, e.Name); err != nil || here.ID() != attr.ID() { // a link of this name leads to it
			return j.Attrs.Desired(v, nil, attr)
		}
		return j.Attrs.DesiredAt(v, d.Src, e, attr)
	}
	f, err := j.Run.Open(d, e.Name) // it may be the target of a link
	if err != nil {
		return j.Attrs.Desired(v, nil, attr)
	}
	o, notes := j.Attrs.Desired(v, f, attr)
	o.OwnNode()
	return o, notes
}
