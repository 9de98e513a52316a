package engine

import (
	"errors"

	"psync/internal/engine/job"
	"psync/internal/engine/pairs"
	"psync/internal/engine/volume"
	"psync/internal/report"
)

var (
	errInDest  = errors.New("is the destination itself")
	errSameDir = errors.New("source and destination are the same directory")
)

// inspect finds out about the pair of directories what the copy needs to know. Of a destination that was made late it
// only assumes what settle will find out.
func (w *worker) inspect(d *job.Dir) (pairs.Side, error) {
	if err := w.inspectSource(d); err != nil {
		return pairs.Source, err
	}
	if d.Dst != nil {
		if w.mayGoAhead(d) {
			w.goAhead(d)
			return 0, nil
		}
		if err := w.inspectDest(d); err != nil {
			return pairs.Dest, err
		}
	}
	w.entered(d)
	return 0, nil
}

// entered counts and reports d when it is known that its sides can be worked in.
func (w *worker) entered(d *job.Dir) {
	if w.job.CopiesItself(d) && d.Task.Kind == job.Copy {
		w.job.Count.Add(report.DirsSeen, 1)
	}
	w.lateDirMade(d)
}

func (w *worker) inspectSource(d *job.Dir) error {
	var err error
	if d.Attr, err = d.Src.Lstat("."); err != nil {
		return err
	}
	w.job.Attrs.Want(&d.Attr, d.AsParent())
	d.SrcVolume = w.job.Volumes.Of(d.Src, d.Attr)
	if w.job.Keep.Xattrs || w.job.Keep.ACLs {
		d.SrcVolume.ProbeXattrs(w.job.Profiles.Source, d.Src)
	}
	d.AtRoot = d.SrcVolume.HasRoot(d.Attr)
	if w.job.Links.Follows() {
		d.Lineage = d.Lineage.Child(d.Attr.ID())
	}
	if w.job.Dest != nil && d.Attr.ID() == w.job.DestID && !w.job.Compare && !w.renames(d) {
		return errInDest
	}
	return nil
}

// renames reports whether d is copied from under another name, so that its two sides may be one directory.
func (w *worker) renames(d *job.Dir) bool { return w.job.Sources[d.Task.Source].Original != "" }

func (w *worker) inspectDest(d *job.Dir) error {
	var err error
	if d.DestAttr, err = d.Dst.Lstat("."); err != nil {
		return err
	}
	if d.Attr.ID() == d.DestAttr.ID() && !w.job.Compare && !w.renames(d) {
		return errSameDir // by way of a link or a mount
	}
	w.job.AddDirlinkTarget(d)
	if !d.WasClosed {
		d.Found = d.DestAttr.Mode
	}
	w.onVolume(d, w.job.Volumes.Of(d.Dst, d.DestAttr))
	d.AtRoot = d.AtRoot || d.DstVolume.HasRoot(d.DestAttr)
	if d.Task.Kind != job.Clear {
		d.Original = w.job.Backups.Original(d.DestAttr, d.Found, d.Original)
	}
	if d.Fresh() || !w.job.User.Privileged() && d.DestAttr.Mode&0o500 != 0o500 {
		w.job.OpenUp(d) // or else what is in it cannot be looked at
	}
	if (w.job.Fsync || w.job.Journal != nil) && !w.job.DryRun {
		w.job.SyncLater(d)
	}
	return nil
}

// onVolume records which volume the destination of d is on.
func (w *worker) onVolume(d *job.Dir, v *volume.Volume) {
	d.DstVolume, d.FarDest = v, v.Network
	w.setTolerance(d.DirInfo)
	d.Route = w.job.Routes.Between(d.SrcVolume.Device(), v.Device())
}

// setTolerance sets how much times may differ on the volumes of d.
func (w *worker) setTolerance(d *job.DirInfo) {
	d.Window = w.job.Policy.Window
	d.RaiseGranularity(max(d.SrcVolume.Granularity(), d.DstVolume.Granularity()))
}
