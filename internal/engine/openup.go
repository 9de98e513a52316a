package engine

import "io/fs"

// touch is called before an entry is made in, or removed from, the destination of
// d: its own times will have to be set, and it must be writable.
func (w *jobWorker) touch(d *jobDir) {
	if d.touched.Load() {
		return
	}
	d.opening.Lock()
	defer d.opening.Unlock()
	if !d.fresh() && !d.touched.Load() { // those that are fresh were opened up at once
		w.openUpLocked(d)
	}
	d.touched.Store(true)
}

// openUp lets the owner write into a directory of an earlier run whose source
// is read-only or locked, until it is finished. If we are not its owner, that fails, and
// each entry reports EACCES. A new root, which this run did not make, is treated as the
// directories that it does make: so a later run can tell that it is not finished.
func (w *jobWorker) openUp(d *jobDir) {
	d.opening.Lock()
	defer d.opening.Unlock()
	w.openUpLocked(d)
}

func (w *jobWorker) openUpLocked(d *jobDir) {
	if w.DryRun || d.Dst == nil || !w.copiesItself(d) {
		return
	}
	if !d.fresh() {
		w.liftDir(d)
	}
	mode := d.mode() | 0o700
	if d.fresh() && (d.task.Path == "" || d.task.DefaultACL) && !w.Keep.NoPerms && d.Src != nil {
		mode = mode&^fs.ModePerm | w.attrs.WorkMode(d.volumes(), d.Src, ".", d.attr)
	}
	if mode == d.mode() || d.Dst.Chmod(".", mode) != nil {
		return
	}
	d.openedMode.Store(uint32(mode))
	if d.fresh() && !d.dstVolume.KeepsAttrs { // which then may have another one
		if attr, err := d.Dst.Lstat("."); err == nil {
			d.openedMode.Store(uint32(attr.Mode))
		}
	}
}

// liftDir lifts what is in the way of making and removing entries in the destination of d, until d is
// finished. d.opening is held.
func (w *jobWorker) liftDir(d *jobDir) {
	if d.lifted == nil {
		d.lifted = w.lifter.LiftDir(d.Dst, d.destAttr)
	}
}

// closeUp takes back what openUp did to a directory that was there before, if the
// run ends before the directory is finished.
func (w *jobWorker) closeUp(d *jobDir) {
	if d.finished.Load() || d.Dst == nil {
		return
	}
	if d.opened() {
		_ = d.Dst.Chmod(".", d.found)
	}
	w.lifter.RestoreAt(d.lifted, d.Dst, ".")
}

// opened reports whether a directory that was there before has been opened up.
func (d *jobDir) opened() bool {
	return !d.fresh() && d.Dst != nil && d.found.IsDir() && d.mode() != d.found
}
