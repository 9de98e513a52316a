package job

import (
	"psync/internal/engine/dirnames"
	"psync/internal/engine/volume"
	"psync/internal/vfs"
)

// Folds reports whether the destination of d ignores case, where looking up two names does not show it.
// A dry run, which must not try, looks at the entries that there are, and if a directory is empty or
// missing, at those of the root.
func (w *Worker) Folds(d *Dir) bool {
	if !w.DryRun {
		return w.probeCase(d)
	}
	for _, dir := range []vfs.Dir{d.Dst, w.Dest} {
		if dir == nil {
			continue
		}
		if folds, known := dirnames.FoldsCase(dir); known {
			return folds
		}
	}
	return d.DstVolume != nil && d.DstVolume.Folds
}

// IgnoresCase reports whether the volume of d's destination ignores case, which it tries out once for a
// volume. A dry run, which must not try, assumes that it does.
func (w *Worker) IgnoresCase(d *Dir) bool {
	if w.DryRun {
		return true
	}
	return d.DstVolume.FoldsCase(func() bool { return w.probeCase(d) })
}

// probeCase tries out whether the destination of d ignores case.
func (w *Worker) probeCase(d *Dir) bool {
	w.Touch(d)
	name := w.NewTemp()
	ignored, made := volume.TryCase(d.Dst, name)
	if made {
		w.removeProbe(d, name)
	}
	return ignored
}
