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
// the destination may only have rounded that of the source: it finds
// out how finely the volume keeps times, which some do not tell, once for each.
func (w *worker) settled(d *directory, src, dst vfs.Attr) plan.Verdict {
	v := w.Policy.Judge(src, dst, d.tolerance)
	apart := src.Mtime.Sub(dst.Mtime).Abs()
	if v != plan.Transfer || src.Size != dst.Size || apart >= steps[len(steps)-1] || !rounded(dst.Mtime) {
		return v
	}
	d.tolerance.Granularity = max(d.tolerance.Granularity, w.granularity(d, src, dst))
	return w.Policy.Judge(src, dst, d.tolerance)
}

// rounded reports whether a time is one that is seldom met by chance.
func rounded(t time.Time) bool { return t.Nanosecond()%100 == 0 }

// granularity returns how finely the volume of d's destination keeps modification
// times. A dry run, which must not try, believes those of far volumes to be rounded.
func (w *worker) granularity(d *directory, src, dst vfs.Attr) time.Duration {
	if !w.DryRun {
		return d.dstVolume.granularity(func() time.Duration { return w.measure(d) })
	}
	for _, step := range steps {
		if d.farDest && src.Mtime.Truncate(step).Equal(dst.Mtime) {
			return step
		}
	}
	return 0
}

// measure makes a file, gives it a time, and looks what became of that.
func (w *worker) measure(d *directory) time.Duration {
	w.touch(d)
	name := w.Temporaries.name(w.temps.Add(1))
	f, err := d.dst.Create(name, 0o600)
	if err != nil {
		return 0
	}
	defer w.removeProbe(d, name)
	if f.Close() != nil {
		return 0
	}
	want := time.Unix(1_000_000_001, 987_654_321) // odd in every unit
	if d.dst.Chtimes(name, time.Time{}, want) != nil {
		return 0
	}
	attr, err := d.dst.Lstat(name)
	if err != nil {
		return 0
	}
	return coarseness(want, attr.Mtime)
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
