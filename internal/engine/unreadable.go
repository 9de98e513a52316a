package engine

import (
	"psync/internal/engine/pairs"
	"psync/internal/vfs"
)

// finishUnreadable sets the attributes of the destination of d if its source cannot be opened. What is
// in the source is unknown, but its attributes are not, and without them a new directory would keep the
// mode that it was made with and the current time. Any further error leaves the destination as it is
// and goes unreported, because the failure to open the source has been reported.
func (w *worker) finishUnreadable(d *directory) {
	if d.task.Path == "" || d.task.Kind != copyTask {
		return
	}
	up, name := d.task.dirs.Parent()
	above, _, err := up.Use()
	if err != nil {
		return
	}
	defer up.Done()

	from := w.infoOf(d.task).open(pairs.Pair{Src: above.Src})
	attr, err := w.stat(from, name)
	if err != nil || !attr.Mode.IsDir() {
		return // it is no longer a directory
	}
	if above.Dst != nil && w.isClosedCopy(above.Dst, name, attr) {
		return // opening it would change its mode, and so its change time, on every run
	}
	in, err := above.Src.Lstat(".")
	if err != nil {
		return
	}
	from.srcVolume = w.volumes.Of(above.Src, in)
	to, _, err := w.cache.OpenChild(pairs.Pair{Dst: above.Dst}, name)
	if err != nil {
		return
	}
	defer to.Close()

	d.Pair, d.attr, d.srcVolume = to, attr, from.srcVolume
	d.original = nil // it was that of the parent, and nothing is backed up here
	d.found = to.ClosedMode
	if d.Dst != nil {
		if d.destAttr, err = d.Dst.Lstat("."); err != nil {
			return
		}
		if !d.WasClosed {
			d.found = d.destAttr.Mode
		}
		d.dstVolume = w.volumes.Of(d.Dst, d.destAttr)
		d.farDest = d.dstVolume.Network
		w.setTolerance(d.dirInfo)
	}
	o, notes := w.attrs.DesiredAt(from.volumes(), from.Src, name, attr)
	defer o.Close()
	w.reportAttrs(from, "", new(bool), notes)
	w.finish(d.jobDir, o)
	w.closeUp(d.jobDir)
}

// isClosedCopy reports whether the destination has a directory that its owner may not read or search, and
// that has the mode, owner, group and modification time wanted.
func (w *worker) isClosedCopy(in vfs.Dir, name string, want vfs.Attr) bool {
	has, err := in.Lstat(name)
	return err == nil && !w.User.Privileged() && has.Mode&0o500 != 0o500 && has.Mode == want.Mode &&
		has.UID == want.UID && has.GID == want.GID && has.Mtime.Equal(want.Mtime)
}
