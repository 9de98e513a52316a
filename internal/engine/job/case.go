package job

import (
	"errors"
	"fmt"
	"io/fs"

	"psync/internal/engine/alias"
	"psync/internal/engine/dirnames"
	"psync/internal/engine/volume"
	"psync/internal/plan"
	"psync/internal/vfs"
)

// Folds reports whether the destination of d ignores case, in situations where looking up two names does not reveal
// it. A dry run, which must not make probe files, looks at the existing entries or, if the directory is empty or
// missing, at those of the root.
func (w *Worker) Folds(d *Dir) bool {
	if !w.Run.Job.DryRun {
		return w.probeCase(d)
	}
	folds, known := listedCase(w.Run, d)
	return known && folds || !known && d.DstVolume != nil && d.DstVolume.Folds
}

// listedCase is Folds by the existing entries alone.
func listedCase(r *Run, d *Dir) (folds, known bool) {
	for _, dir := range []vfs.Dir{d.Dst, r.Job.Dest} {
		if dir == nil {
			continue
		}
		if folds, known := dirnames.FoldsCase(dir); known {
			return folds, true
		}
	}
	return false, false
}

// IgnoresCase reports whether the volume of d's destination ignores case, which it probes once per volume. A dry run,
// which must not make probe files, assumes that it does. So does a run with --compare-dest, which may have nothing to
// make however often it is repeated, unless existing entries say more.
func (w *Worker) IgnoresCase(d *Dir) bool {
	if w.Run.Job.DryRun {
		return true
	}
	return d.DstVolume.FoldsCase(func() bool {
		if w.Run.Job.Alternatives.Kind == plan.CompareDest {
			folds, known := listedCase(w.Run, d)
			return folds || !known
		}
		return w.probeCase(d)
	})
}

// probeCase probes whether the destination of d ignores case.
func (w *Worker) probeCase(d *Dir) bool {
	w.PrepareChange(d)
	name := w.Run.NewTemp()
	ignored, made := volume.TryCase(d.Dst, name)
	if made {
		w.removeProbe(d, name)
	}
	return ignored
}

// Collision explains err, the reason why making an entry of d failed, if it says that an entry of that name exists:
// each name of the source is copied once, and only if the destination does not have it.
func (w *Worker) Collision(d *Dir, err error) error {
	switch {
	case !errors.Is(err, fs.ErrExist):
		return err
	case d.Dst == nil || d.DstVolume != nil && w.IgnoresCase(d): // what is in the way of a root need not be an alias of anything
		return alias.ErrCollision
	}
	return fmt.Errorf("another process made it meanwhile: %w", fs.ErrExist)
}
