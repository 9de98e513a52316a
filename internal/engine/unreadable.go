package engine

import (
	"cmp"

	"psync/internal/engine/dirs"
	"psync/internal/engine/job"
	"psync/internal/engine/pairs"
	"psync/internal/vfs"
)

// finishUnreadable sets the attributes of the destination of d if its source cannot be opened. The contents of the
// source are unknown, but its attributes are not, and without them a new directory would keep the mode that it was
// made with and the current time. Any further error leaves the destination unchanged and is not reported, because the
// failure to open the source has been.
func (w *worker) finishUnreadable(d *job.Dir) {
	if d.Task.Path == "" || d.Task.Kind != job.Copy || w.job.Run.IsImplied(d, "") {
		return
	}
	up, name := d.Task.Dirs.Parent()
	above, _, err := up.Use()
	if err != nil {
		return
	}
	defer up.Done()

	from := w.job.Run.NewDir(d.Task).Open(pairs.Pair{Src: above.Src})
	attr, err := w.job.Stat(from, vfs.Entry{Name: name})
	if err != nil || !attr.Mode.IsDir() {
		return // it is no longer a directory
	}
	if above.Dst != nil && isClosedCopy(w.job, above.Dst, name, attr) {
		return // opening it would change its mode, and so its change time, on every run
	}
	in, err := vfs.Lstat(above.Src, ".")
	if err != nil {
		return
	}
	from.SrcVolume = w.job.Run.Volumes.Of(above.Src, in)
	to, _, err := w.run.cache.OpenChild(pairs.Pair{Dst: above.Dst}, name)
	if err != nil {
		return
	}
	defer to.Close()

	d.Open(to)
	defer d.Close()
	d.Attr, d.SrcVolume = attr, from.SrcVolume
	d.Task.Original = nil // it was the parent's, and nothing is backed up here
	d.Found = to.ClosedMode
	if d.Dst != nil {
		if d.DestAttr, err = vfs.Lstat(d.Dst, "."); err != nil {
			return
		}
		dirs.ReportMade(w.job, d)
		d.Found = cmp.Or(d.Found, d.DestAttr.Mode)
		dirs.SetVolume(w.job, d, w.job.Run.Volumes.Of(d.Dst, d.DestAttr))
	}
	o, notes := w.job.Attrs.DesiredAt(from.Volumes(), from.Src, vfs.Entry{Name: name}, attr)
	defer o.Close()
	w.job.ReportAttrs(from, "", new(bool), notes)
	w.finish(d, o)
}

// isClosedCopy reports whether the destination has a directory that its owner may not read or search and that already
// has the wanted mode, owner, group and modification time.
func isClosedCopy(j *job.Worker, in vfs.Dir, name string, want vfs.Attr) bool {
	has, err := vfs.Lstat(in, name)
	return err == nil && !j.Run.Job.User.Privileged() && has.Mode&0o500 != 0o500 && has.Mode == want.Mode &&
		has.UID == want.UID && has.GID == want.GID && has.Mtime.Equal(want.Mtime)
}
