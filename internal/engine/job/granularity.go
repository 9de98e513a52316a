package job

import (
	"time"

	"psync/internal/engine/volume"
	"psync/internal/metadata"
)

// LearnGranularity finds out, once per volume, how finely the volume of d's destination keeps modification times,
// which some volumes do not report. It does so if dst, the time of a counterpart, may be src rounded, and reports
// whether the tolerance is now larger than t.
func (w *Worker) LearnGranularity(d *Dir, t metadata.Tolerance, src, dst time.Time) bool {
	if d.DstVolume == nil || t.Same(src, dst) || !volume.MayBeRounded(src, dst) {
		return false
	}
	g := w.granularity(d, src, dst)
	d.RaiseGranularity(g)
	return g > t.Granularity
}

// granularity returns how finely the volume of d's destination keeps modification times. A dry run, which must not
// make probe files, and a run that cannot make them assume that remote volumes have rounded the time.
func (w *Worker) granularity(d *Dir, src, dst time.Time) time.Duration {
	if !w.Run.Job.DryRun {
		if g, ok := d.DstVolume.MeasuredGranularity(func() (time.Duration, bool) { return w.measure(d) }); ok {
			return g
		}
	}
	if d.FarDest {
		return volume.RoundedBy(src, dst)
	}
	return 0
}

// measure probes how finely the volume of d's destination keeps modification times.
func (w *Worker) measure(d *Dir) (time.Duration, bool) {
	w.PrepareChange(d)
	name := w.Run.NewTemp()
	g, made, ok := volume.MeasureGranularity(d.Dst, name)
	if made {
		w.removeProbe(d, name)
	}
	return g, ok
}
