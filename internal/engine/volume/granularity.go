package volume

import (
	"errors"
	"sync"
	"time"

	"psync/internal/vfs"
)

// steps are the granularities that modification times have in practice.
var steps = []time.Duration{
	100 * time.Nanosecond, // NTFS, SMB
	time.Microsecond, time.Millisecond, 10 * time.Millisecond,
	time.Second, // HFS+, ext3, SFTP
	2 * time.Second,
}

// granularity holds how finely a volume keeps modification times.
type granularity struct {
	measuring sync.Mutex // guards measured
	measured  bool       // rather than reported by the system

	mu    sync.Mutex // guards known
	known time.Duration
}

// Granularity returns the granularity of modification times, or 0 if it is unknown. It hides the
// field of [vfs.Volume], which does not reflect measurements.
func (v *Volume) Granularity() time.Duration {
	v.times.mu.Lock()
	defer v.times.mu.Unlock()
	return v.times.known
}

// MeasuredGranularity returns the granularity of modification times, and reports whether it could be measured. It
// calls measure until one call has succeeded.
func (v *Volume) MeasuredGranularity(measure func() (time.Duration, bool)) (g time.Duration, ok bool) {
	v.times.measuring.Lock()
	defer v.times.measuring.Unlock()
	if v.times.measured {
		return v.Granularity(), true
	}
	if g, ok = measure(); !ok {
		return 0, false
	}
	v.times.mu.Lock()
	defer v.times.mu.Unlock()
	v.times.known, v.times.measured = max(v.times.known, g), true
	return v.times.known, true
}

// MayBeRounded reports whether dst may be the time src as rounded by a file system. Unrelated times rarely look like
// that by chance.
func MayBeRounded(src, dst time.Time) bool {
	return src.Sub(dst).Abs() < steps[len(steps)-1] && dst.Nanosecond()%100 == 0
}

// RoundedBy returns the smallest granularity of a file system that keeps the time src as dst, or 0.
func RoundedBy(src, dst time.Time) time.Duration {
	for _, step := range steps {
		if src.Truncate(step).Equal(dst) || src.Round(step).Equal(dst) {
			return step
		}
	}
	return 0
}

// MeasureGranularity makes a file in dir, sets its time, and reads back what was stored. If made is true, the caller
// removes the file. For some seconds, clients of network file systems show what they have sent; they query the server
// only when a file is opened (Linux for SMB: .123456700, where Samba has stored .000000000).
func MeasureGranularity(dir vfs.Dir, name string) (g time.Duration, made, ok bool) {
	f, err := dir.OpenFile(name, vfs.Create, 0o600)
	if err != nil {
		return 0, false, false
	}
	if f.Close() != nil {
		return 0, true, false
	}
	want := time.Unix(1_000_000_001, 987_654_321) // not a multiple of any step
	if vfs.Chtimes(vfs.In(dir, name), time.Time{}, want) != nil {
		return 0, true, false
	}
	if f, err = dir.OpenFile(name, vfs.ReadOnly, 0); err != nil {
		return 0, true, false
	}
	attr, err := vfs.Stat(f)
	if errors.Join(err, f.Close()) != nil {
		return 0, true, false
	}
	return coarseness(want, attr.Mtime), true, true
}

// coarseness returns the smallest step with which got can be want rounded, or 0.
func coarseness(want, got time.Time) time.Duration {
	apart := want.Sub(got).Abs()
	for _, step := range steps {
		if apart > 0 && apart < step {
			return step
		}
	}
	return 0
}
