package metadata

import "time"

// A Tolerance is how far apart two modification times may be and still be equal.
type Tolerance struct {
	// Window is the user's choice. Below zero, only times that are equal to the nanosecond are.
	Window time.Duration
	// Granularity is the coarser granularity of the two file systems. A rounded time differs by less than the
	// granularity.
	Granularity time.Duration
	// WholeSeconds says that fractions of seconds are not compared, unless Window is below zero.
	WholeSeconds bool
}

// Same reports whether a and b are equal.
func (t Tolerance) Same(a, b time.Time) bool {
	if t.Window < 0 {
		return a.Equal(b)
	}
	if t.WholeSeconds {
		a, b = a.Truncate(time.Second), b.Truncate(time.Second)
	}
	d := a.Sub(b).Abs()
	return d <= t.Window || d < t.Granularity
}
