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
		{"as far apart as times can be", Tolerance{Window: s}, 1<<63 - 1, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for _, apart := range []time.Duration{tt.apart, -tt.apart} {
				if got := tt.tolerance.Same(now, now.Add(apart)); got != tt.want {
					t.Errorf("Same of times %v apart = %v, want %v", apart, got, tt.want)
				}
			}
		})
	}
	if (Tolerance{Window: s}).Same(time.Time{}, time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC)) {
		t.Error("the first and the last time are the same")
	}
}
