package engine

import (
	"psync/internal/metadata"
	"psync/internal/queue"
	"psync/internal/vfs"
)

// finishUnopened gives the destination of d the attributes of a source that cannot be
// opened: what is in that is unknown, but not what it is itself. A new directory would
// keep the mode in which it was made and the time of that. What cannot be looked at
// is left as it is, for the failure to open it has been reported.
func (w *worker) finishUnopened(d *directory) {
	if d.task.Path == "" || d.task.Kind != queue.Copy {
		return
	}
	dir, name := parent(d.task.Path)
	up := key{d.task.Source, dir}
	above, _, err := w.handles.use(up)
	if err != nil {
		return
	}
	defer w.handles.done(up)

	from := &directory{pair: pair{src: above.src}, task: d.task, into: d.into}
	attr, err := w.stat(from, name)
	if err != nil || !attr.Mode.IsDir() {
		return // it has become something else
	}
	if above.dst != nil && w.isClosedAlike(above.dst, name, attr) {
		return // to open it would be to touch it, on each run
	}
	in, err := above.src.Lstat(".")
	if err != nil {
		return
	}
	from.srcVolume = w.volumes.of(above.src, in)
	to, _, err := w.handles.openChild(pair{dst: above.dst}, name)
	if err != nil {
		return
	}
	defer to.close()

	d.pair, d.attr, d.srcVolume = to, attr, from.srcVolume
	d.found = to.closedMode
	if d.dst != nil {
		if d.destAttr, err = d.dst.Lstat("."); err != nil {
			return
		}
		if !d.wasClosed {
			d.found = d.destAttr.Mode
		}
		d.dstVolume = w.volumes.of(d.dst, d.destAttr)
		d.farDest = d.dstVolume.Device.Network
		d.tolerance = metadata.Tolerance{
			Window:      w.Policy.Window,
			Granularity: max(d.srcVolume.knownGranularity(), d.dstVolume.knownGranularity()),
		}
	}
	o, done := w.desiredNamed(from, name, "", attr)
	defer done()
	d.desired = o
	w.finish(d)
	d.closeUp()
}

// isClosedAlike reports whether the destination has a directory that is closed to its owner and has
// the mode, the owner and the time of one of the source.
func (w *worker) isClosedAlike(in vfs.Dir, name string, want vfs.Attr) bool {
	has, err := in.Lstat(name)
	return err == nil && !w.User.Privileged() && has.Mode&0o500 != 0o500 && has.Mode == want.Mode &&
		has.UID == want.UID && has.GID == want.GID && has.Mtime.Equal(want.Mtime)
}
