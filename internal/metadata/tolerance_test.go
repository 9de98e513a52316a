package metadata

import (
	"testing"
	"time"
)

var now = time.Date(2001, time.February, 3, 4, 5, 6, 7, time.UTC)

func TestTolerance(t *testing.T) {
	const s = time.Second
	tests := []struct {
		name      string
		tolerance Tolerance
		apart     time.Duration
		want      bool
	}{
		{"nothing tolerated, equal", Tolerance{}, 0, true},
		{"nothing tolerated, a nanosecond", Tolerance{}, 1, false},
		{"window, below", Tolerance{Window: s}, s - 1, true},
		{"window, exactly", Tolerance{Window: s}, s, true},
		{"window, above", Tolerance{Window: s}, s + 1, false},
		{"granularity, below", Tolerance{Granularity: s}, s - 1, true},
		{"granularity, exactly: a step is no rounding", Tolerance{Granularity: s}, s, false},
		{"granularity of two seconds, as on FAT", Tolerance{Granularity: 2 * s}, s + s/2, true},
		{"both, between them", Tolerance{Window: s, Granularity: 2 * s}, 2*s - 1, true},
		{"both, at the larger one, the granularity", Tolerance{Window: s, Granularity: 2 * s}, 2 * s, false},
		{"both, at the larger one, the window", Tolerance{Window: 2 * s, Granularity: s}, 2 * s, true},
		{"window below zero, equal", Tolerance{Window: -s, Granularity: s}, 0, true},
		{"window below zero, a nanosecond", Tolerance{Window: -s, Granularity: s}, 1, false},
		{"whole seconds, within one", Tolerance{WholeSeconds: true}, s - 8, true},
		{"whole seconds, in the next", Tolerance{WholeSeconds: true}, s, false},
		{"whole seconds in a window", Tolerance{Window: s, WholeSeconds: true}, 2*s - 8, true},
		{"whole seconds, window below zero", Tolerance{Window: -s, WholeSeconds: true}, 1, false},
		{"as far apart as times can be", Tolerance{Window: s}, 1<<63 - 1, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			later := now.Add(tt.apart)
			if there, back := tt.tolerance.Same(now, later), tt.tolerance.Same(later, now); there != tt.want || back != tt.want {
				t.Errorf("Same of times %v apart = %v, and %v the other way round, want %v", tt.apart, there, back, tt.want)
			}
		})
	}
	if (Tolerance{Window: s}).Same(time.Time{}, time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC)) {
		t.Error("the first and the last time are the same")
	}
}
