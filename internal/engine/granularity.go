package engine

import (
	"time"

	"psync/internal/plan"
	"psync/internal/vfs"
)

// steps are the granularities that modification times have in practice.
var steps = []time.Duration{
	100 * time.Nanosecond, // NTFS, SMB
	time.Microsecond, time.Millisecond, 10 * time.Millisecond,
	time.Second, // HFS+, ext3, SFTP
	2 * time.Second,
}

// settled compares two files once more whose modification times are so close that
// the destination may only have rounded that of the source.
func (w *worker) settled(d *directory, src, dst vfs.Attr) plan.Verdict {
	v := w.Policy.Judge(src, dst, d.tolerance)
	if v != plan.Transfer || src.Size != dst.Size || !w.learnGranularity(d, src.Mtime, dst.Mtime) {
		return v
	}
	return w.Policy.Judge(src, dst, d.tolerance)
}

// learnGranularity finds out how finely the volume of d's destination keeps modification times,
// which some do not tell, once for each. It does so where dst, the time of a counterpart, may be
// src, rounded, and reports whether d has another tolerance then.
func (w *worker) learnGranularity(d *directory, src, dst time.Time) bool {
	if d.dstVolume == nil || d.tolerance.Same(src, dst) || !mayBeRounded(src, dst) {
		return false
	}
	g := w.granularity(d, src, dst)
	if g <= d.tolerance.Granularity {
		return false
	}
	d.tolerance.Granularity = g
	return true
}

// mayBeRounded reports whether dst may be src as a file system keeps it. It is a time that is seldom met by chance.
func mayBeRounded(src, dst time.Time) bool {
	return src.Sub(dst).Abs() < steps[len(steps)-1] && dst.Nanosecond()%100 == 0
}

// granularity returns how finely the volume of d's destination keeps modification
// times. A dry run, which must not try, and one that cannot, believe those of far volumes to be rounded.
func (w *worker) granularity(d *directory, src, dst time.Time) time.Duration {
	if !w.DryRun {
		if g, ok := d.dstVolume.granularity(func() (time.Duration, bool) { return w.measure(d) }); ok {
			return g
		}
	}
	for _, step := range steps {
		if d.farDest && (src.Truncate(step).Equal(dst) || src.Round(step).Equal(dst)) {
			return step
		}
	}
	return 0
}

// measure makes a file, gives it a time, and looks what became of that. The clients of network file
// systems show for some seconds what they have sent: only when it is opened do they ask the server
// (Linux for SMB: .123456700, where Samba has kept .000000000).
func (w *worker) measure(d *directory) (g time.Duration, ok bool) {
	w.touch(d)
	name := w.Temporaries.name(w.temps.Add(1))
	f, err := d.dst.Create(name, 0o600)
	if err != nil {
		return 0, false
	}
	defer w.removeProbe(d, name)
	if f.Close() != nil {
		return 0, false
	}
	want := time.Unix(1_000_000_001, 987_654_321) // odd in every unit
	if d.dst.Chtimes(name, time.Time{}, want) != nil {
		return 0, false
	}
	if f, err = d.dst.Open(name); err != nil {
		return 0, false
	}
	attr, err := f.Stat()
	if both(err, f.Close()) != nil {
		return 0, false
	}
	return coarseness(want, attr.Mtime), true
}

// coarseness returns the smallest step by which got can be want, rounded, or 0.
func coarseness(want, got time.Time) time.Duration {
	apart := want.Sub(got).Abs()
	for _, step := range steps {
		if apart > 0 && apart < step {
			return step
		}
	}
	return 0
}
