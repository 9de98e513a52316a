package engine

import (
	"errors"

	"psync/internal/engine/pairs"
	"psync/internal/report"
)

var (
	errInDest  = errors.New("is the destination itself")
	errSameDir = errors.New("source and destination are the same directory")
)

// inspect finds out about the pair of directories what the copy needs to know.
func (w *worker) inspect(d *jobDir) (pairs.Side, error) {
	var err error
	if d.attr, err = d.Src.Lstat("."); err != nil {
		return pairs.Source, err
	}
	w.attrs.Want(&d.attr, d.asParent())
	d.srcVolume = w.volumes.Of(d.Src, d.attr)
	if w.Keep.Xattrs || w.Keep.ACLs {
		d.srcVolume.ProbeXattrs(w.profiles.source, d.Src)
	}
	d.atRoot = d.srcVolume.HasRoot(d.attr)
	if w.copiesItself(d) && d.task.Kind == copyTask {
		w.count.Add(report.DirsSeen, 1)
	}
	if w.Links.Follows() {
		d.lineage = d.lineage.Child(d.attr.ID())
	}
	if w.Dest != nil && d.attr.ID() == w.destID && !w.Compare {
		return pairs.Source, errInDest
	}
	if d.Dst == nil {
		return 0, nil
	}
	if d.destAttr, err = d.Dst.Lstat("."); err != nil {
		return pairs.Dest, err
	}
	if d.attr.ID() == d.destAttr.ID() && !w.Compare {
		return pairs.Dest, errSameDir // by way of a link or a mount
	}
	w.addDirlinkTarget(d)
	if !d.WasClosed {
		d.found = d.destAttr.Mode
	}
	d.dstVolume = w.volumes.Of(d.Dst, d.destAttr)
	d.atRoot = d.atRoot || d.dstVolume.HasRoot(d.destAttr)
	if d.task.Kind != clearTask {
		d.original = w.backups.Original(d.destAttr, d.found, d.original)
	}
	if d.fresh() || !w.User.Privileged() && d.destAttr.Mode&0o500 != 0o500 {
		w.openUp(d) // or else what is in it cannot be looked at
	}
	if w.Fsync && !w.DryRun {
		w.syncs.add(d.destAttr.Dev, d.key())
	}
	d.farDest = d.dstVolume.Network
	w.setTolerance(d.dirInfo)
	d.route = w.routes.Between(d.srcVolume.Device(), d.dstVolume.Device())
	return 0, nil
}

// setTolerance sets how much times may differ on the volumes of d.
func (w *jobWorker) setTolerance(d *dirInfo) {
	d.window = w.Policy.Window
	d.raiseGranularity(max(d.srcVolume.Granularity(), d.dstVolume.Granularity()))
}
