package job

import (
	"psync/internal/engine/dirnames"
	"psync/internal/engine/volume"
	"psync/internal/vfs"
)

// Folds reports whether the destination of d ignores case, in situations where looking up two names does not reveal
// it. A dry run, which must not make probe files, looks at the existing entries or, if the directory is empty or
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

// IgnoresCase reports whether the volume of d's destination ignores case, which it probes once per volume. A dry run,
// which must not make probe files, assumes that it does.
func (w *Worker) IgnoresCase(d *Dir) bool {
	if w.DryRun {
		return true
	}
	return d.DstVolume.FoldsCase(func() bool { return w.probeCase(d) })
}

// probeCase probes whether the destination of d ignores case.
func (w *Worker) probeCase(d *Dir) bool {
	w.Touch(d)
	name := w.NewTemp()
	ignored, made := volume.TryCase(d.Dst, name)
	if made {
		w.removeProbe(d, name)
	}
	return ignored
}
