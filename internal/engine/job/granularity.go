package job

import (
	"time"

	"psync/internal/engine/volume"
	"psync/internal/metadata"
)

// LearnGranularity finds out how finely the volume of d's destination keeps modification times,
// which some do not tell, once for each. It does so where dst, the time of a counterpart, may be
// src, rounded, and reports whether the tolerance then is another one than t.
func (w *Worker) LearnGranularity(d *Dir, t metadata.Tolerance, src, dst time.Time) bool {
	if d.DstVolume == nil || t.Same(src, dst) || !volume.MayBeRounded(src, dst) {
		return false
	}
	g := w.granularity(d, src, dst)
	d.RaiseGranularity(g)
	return g > t.Granularity
}

// granularity returns how finely the volume of d's destination keeps modification
// times. A dry run, which must not try, and one that cannot, believe those of far volumes to be rounded.
func (w *Worker) granularity(d *Dir, src, dst time.Time) time.Duration {
	if !w.DryRun {
		if g, ok := d.DstVolume.MeasuredGranularity(func() (time.Duration, bool) { return w.measure(d) }); ok {
			return g
		}
	}
	if d.FarDest {
		return volume.RoundedBy(src, dst)
	}
	return 0
}

// measure tries out how finely the volume of d's destination keeps modification times.
func (w *Worker) measure(d *Dir) (time.Duration, bool) {
	w.Touch(d)
	name := w.NewTemp()
	g, made, ok := volume.MeasureGranularity(d.Dst, name)
	if made {
		w.removeProbe(d, name)
	}
	return g, ok
}
