package bench

import (
	"strings"
	"testing"
)

func labels(ticks []tick) string {
	var names []string
	for _, t := range ticks {
		names = append(names, t.label)
	}
	return strings.Join(names, " ")
}

func TestAxisTicks(t *testing.T) {
	for _, tt := range []struct {
		name string
		axis axis
		want string
	}{
		{"linear", linearAxis(1.8, 0, 100), "0 0.5 1 1.5 2"},
		{"linear, on a tick", linearAxis(4, 0, 100), "0 1 2 3 4"},
		{"linear, small", linearAxis(0.0031, 0, 100), "0 0.001 0.002 0.003 0.004"},
		{"linear, large", linearAxis(730, 0, 100), "0 200 400 600 800"},
		{"log", logAxis([]float64{0.3, 14}, 0, 100), "0.2 0.5 1 2 5 10 20"},
		{"log, on ticks", logAxis([]float64{5, 0.2}, 0, 100), "0.2 0.5 1 2 5"},
		{"log, one value", logAxis([]float64{3}, 0, 100), "2 5"},
		{"log, one tick", logAxis([]float64{2}, 0, 100), "2 5"},
		{"values", valueAxis([]float64{0.2, 1, 5}, 0, 100), "0.2 1 5"},
	} {
		if got := labels(tt.axis.ticks); got != tt.want {
			t.Errorf("%s: got %s, want %s", tt.name, got, tt.want)
		}
		first, last := tt.axis.ticks[0], tt.axis.ticks[len(tt.axis.ticks)-1]
		if tt.axis.at(first.value) != 0 || tt.axis.at(last.value) != 100 {
			t.Errorf("%s: ends at %v and %v, want 0 and 100", tt.name, tt.axis.at(first.value), tt.axis.at(last.value))
		}
	}
}

func TestAxisPlaces(t *testing.T) {
	for _, tt := range []struct {
		axis        axis
		value, want float64
	}{
		{linearAxis(4, 10, 50), 1, 20},
		{logAxis([]float64{1, 100}, 100, 0), 10, 50}, // upwards
		{valueAxis([]float64{1, 4, 16}, 0, 40), 4, 20},
		{valueAxis([]float64{8}, 0, 40), 8, 20},
	} {
		if got := tt.axis.at(tt.value); got < tt.want-1e-9 || got > tt.want+1e-9 {
			t.Errorf("%v on %v: got %v, want %v", tt.value, labels(tt.axis.ticks), got, tt.want)
		}
	}
}

func TestAxisLeavesOutLabelsThatOverlap(t *testing.T) {
	a := logAxis([]float64{1, 100}, 0, 100) // a tick each 15 or 20 pixels
	for distance, want := range map[float64]string{
		10: "1 2 5 10 20 50 100",
		30: "1 5 20 100",
	} {
		if got := labels(a.apart(distance)); got != want {
			t.Errorf("%v pixels apart: got %s, want %s", distance, got, want)
		}
	}
}
