package check

import (
	"time"

	"psync/internal/vfs"
)

// ticks are the granularities that psync can detect.
var ticks = []time.Duration{1, 100, time.Microsecond, time.Millisecond, 10 * time.Millisecond, time.Second, 2 * time.Second}

// MeasureTick returns the granularity of the volume's times, as far as one time shows it.
func (t *T) MeasureTick() time.Duration {
	want := time.Unix(1_000_000_001, 987_654_321) // not a multiple of any granularity
	t.WriteFile("tick", 0o600, "")
	t.Must(vfs.Chtimes(vfs.In(t.Dir, "tick"), want, want))
	apart := want.Sub(t.Lstat("tick").Mtime).Abs()
	for _, tick := range ticks {
		if apart < tick {
			return tick
		}
	}
	return apart + 1
}

// Times that cannot be the current time.
var (
	Earlier = time.Date(2001, time.September, 9, 1, 46, 41, 987_654_321, time.UTC)
	Later   = time.Date(2005, time.March, 18, 1, 58, 31, 123_456_789, time.UTC)
)
