package bench

import (
	"errors"
	"testing"
)

func TestMedian(t *testing.T) {
	for _, tt := range []struct {
		values []float64
		want   float64
	}{
		{[]float64{3}, 3},
		{[]float64{3, 1}, 2},
		{[]float64{9, 1, 2}, 2},
		{[]float64{4, 9, 1, 2}, 3},
	} {
		if got := median(tt.values); got != tt.want {
			t.Errorf("median(%v) = %v, want %v", tt.values, got, tt.want)
		}
	}
}

func TestSummarizeComparesWithinRounds(t *testing.T) {
	results := []*result{
		{peer: peer{name: "base"}, runs: runsOf(2, 1000, 2000, 4000)},
		{peer: peer{name: "other"}, runs: runsOf(2, 3000, 2000, 2000)},
	}
	got := summarize(results, "base")[1]
	if want := (spread{1, 0.5, 3}); got.ratio != want {
		t.Errorf("ratio %v, want %v", got.ratio, want)
	}
	if want := (spread{2, 2, 3}); got.wall != want {
		t.Errorf("time %v, want %v", got.wall, want)
	}
}

func TestSummarizeWithoutBaseline(t *testing.T) {
	fast := &result{peer: peer{name: "fast"}, runs: runsOf(10, 500)}
	broken := &result{peer: peer{name: "base"}, err: errors.New("killed"), runs: runsOf(2, 100)}
	for name, results := range map[string][]*result{"missing": {fast}, "failed": {fast, broken}} {
		if got := summarize(results, "base")[0]; got.ratio != (spread{}) || got.failure != "" {
			t.Errorf("%s: got %+v", name, got)
		}
	}
}
