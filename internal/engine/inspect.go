package engine

import (
	"errors"

	"psync/internal/engine/job"
	"psync/internal/engine/pairs"
	"psync/internal/report"
)

var (
	errInDest  = errors.New("is the destination itself")
	errSameDir = errors.New("source and destination are the same directory")
)

// inspect finds out about the pair of directories what the copy needs to know.
func (w *worker) inspect(d *job.Dir) (pairs.Side, error) {
	var err error
	if d.Attr, err = d.Src.Lstat("."); err != nil {
		return pairs.Source, err
	}
	w.Attrs.Want(&d.Attr, d.AsParent())
	d.SrcVolume = w.Volumes.Of(d.Src, d.Attr)
	if w.Keep.Xattrs || w.Keep.ACLs {
		d.SrcVolume.ProbeXattrs(w.Profiles.Source, d.Src)
	}
	d.AtRoot = d.SrcVolume.HasRoot(d.Attr)
	if w.CopiesItself(d) && d.Task.Kind == job.Copy {
		w.Count.Add(report.DirsSeen, 1)
	}
	if w.Links.Follows() {
		d.Lineage = d.Lineage.Child(d.Attr.ID())
	}
	if w.Dest != nil && d.Attr.ID() == w.DestID && !w.Compare {
		return pairs.Source, errInDest
	}
	if d.Dst == nil {
		return 0, nil
	}
	if d.DestAttr, err = d.Dst.Lstat("."); err != nil {
		return pairs.Dest, err
	}
	if d.Attr.ID() == d.DestAttr.ID() && !w.Compare {
		return pairs.Dest, errSameDir // by way of a link or a mount
	}
	w.AddDirlinkTarget(d)
	if !d.WasClosed {
		d.Found = d.DestAttr.Mode
	}
	d.DstVolume = w.Volumes.Of(d.Dst, d.DestAttr)
	d.AtRoot = d.AtRoot || d.DstVolume.HasRoot(d.DestAttr)
	if d.Task.Kind != job.Clear {
		d.Original = w.Backups.Original(d.DestAttr, d.Found, d.Original)
	}
	if d.Fresh() || !w.User.Privileged() && d.DestAttr.Mode&0o500 != 0o500 {
		w.OpenUp(d) // or else what is in it cannot be looked at
	}
	if w.Fsync && !w.DryRun {
		w.SyncLater(d)
	}
	d.FarDest = d.DstVolume.Network
	w.setTolerance(d.DirInfo)
	d.Route = w.Routes.Between(d.SrcVolume.Device(), d.DstVolume.Device())
	return 0, nil
}

// setTolerance sets how much times may differ on the volumes of d.
func (w *worker) setTolerance(d *job.DirInfo) {
	d.Window = w.Policy.Window
	d.RaiseGranularity(max(d.SrcVolume.Granularity(), d.DstVolume.Granularity()))
}
