package dirs

import (
	"cmp"
	"errors"

	"psync/internal/engine/job"
	"psync/internal/engine/volume"
	"psync/internal/vfs"
	"psync/internal/vfs/unionfs"
)

var (
	errInDest  = errors.New("is the destination itself")
	errSameDir = errors.New("source and destination are the same directory")
)

// inspectSource finds out what is needed of the source of d.
func inspectSource(j *job.Worker, d *job.Dir) error {
	var err error
	if d.Attr, err = vfs.Lstat(d.Src, "."); err != nil {
		return err
	}
	j.Attrs.Adjust(&d.Attr, d.Dst, &d.Inherited)
	d.SrcVolume = j.Run.Volumes.Of(d.Src, d.Attr)
	if j.Run.Job.Keep.InXattrs() {
		d.SrcVolume.ProbeXattrs(j.Attrs.Source, d.Src)
	}
	d.AtRoot = d.SrcVolume.HasRoot(d.Attr)
	if j.Run.Job.Links.Follows() {
		d.Task.Lineage = d.Task.Lineage.Child(d.Attr.ID())
	}
	if j.Run.Job.Dest != nil && isSource(d, j.Run.DestID) && !j.Run.Job.Compare && !renames(j, d) {
		return errInDest
	}
	return nil
}

// inspectDest does the same for the destination.
func inspectDest(j *job.Worker, d *job.Dir) error {
	var err error
	if d.DestAttr, err = vfs.Lstat(d.Dst, "."); err != nil {
		return err
	}
	d.Inherited.GID = d.DestAttr.GID
	if isSource(d, d.DestAttr.ID()) && !j.Run.Job.Compare && !renames(j, d) {
		return errSameDir // through a link or a mount
	}
	j.Run.AddDirlinkTarget(d)
	d.Found = cmp.Or(d.Found, d.DestAttr.Mode)
	SetVolume(j, d, j.Run.Volumes.Of(d.Dst, d.DestAttr))
	d.AtRoot = d.AtRoot || d.DstVolume.HasRoot(d.DestAttr)
	if d.Task.Kind != job.Clear {
		d.Task.Original = j.Run.Backups.Original(d.DestAttr, d.Found, d.Task.Original)
	}
	if d.Fresh() || !j.Run.Job.User.Privileged() && d.DestAttr.Mode&0o500 != 0o500 {
		j.GrantAccess(d) // otherwise its entries cannot be looked at
	}
	if (j.Run.Job.Fsync || j.Run.Job.Journal != nil) && !j.Run.Job.DryRun {
		j.Run.Syncs.Add(d.DestAttr.Dev, d.Key())
	}
	return nil
}

// isSource reports whether id identifies the source of d, or one of several that are merged.
func isSource(d *job.Dir, id vfs.ID) bool { return d.Attr.ID() == id || unionfs.Includes(d.Src, id) }

// renames reports whether d is copied under another name, so both sides may be the same directory.
func renames(j *job.Worker, d *job.Dir) bool { return j.Run.Job.Sources[d.Task.Source].Original != "" }

// SetVolume records which volume the destination of d is on, and how precise times are then.
func SetVolume(j *job.Worker, d *job.Dir, v *volume.Volume) {
	d.DstVolume, d.FarDest = v, v.Network
	d.RaiseGranularity(max(d.SrcVolume.Granularity(), d.DstVolume.Granularity()))
	d.Route = j.Run.Routes.Between(d.SrcVolume.Device(), v.Device())
}
