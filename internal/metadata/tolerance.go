package metadata

import "time"

// A Tolerance is how far apart two modification times may be and still be equal.
type Tolerance struct {
	Window time.Duration // as the user wants it
	// Granularity is the coarser one of the two file systems. A time that was
	// rounded differs by less.
	Granularity time.Duration
}

// Same reports whether a and b are equal.
func (t Tolerance) Same(a, b time.Time) bool {
	d := a.Sub(b).Abs()
	return d <= t.Window || d < t.Granularity
}
