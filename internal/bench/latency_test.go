package bench

import (
	"slices"
	"testing"
	"time"
)

func TestParseLatencies(t *testing.T) {
	for _, tt := range []struct {
		list string
		want []time.Duration // nil: refused
	}{
		{"1ms", []time.Duration{time.Millisecond}},
		{"200us,5ms", []time.Duration{200 * time.Microsecond, 5 * time.Millisecond}},
		{"0.2ms", []time.Duration{200 * time.Microsecond}},
		{"", nil},
		{"1", nil},
		{"0,1ms", []time.Duration{0, time.Millisecond}},
		{"-1ms", nil},
	} {
		got, err := parseLatencies(tt.list)
		if (err == nil) != (tt.want != nil) || tt.want != nil && !slices.Equal(got, tt.want) {
			t.Errorf("%q: got %v, %v; want %v", tt.list, got, err, tt.want)
		}
	}
}

func TestMilliseconds(t *testing.T) {
	for d, want := range map[time.Duration]string{
		200 * time.Microsecond: "0.2 ms",
		5 * time.Millisecond:   "5 ms",
		time.Second:            "1000 ms",
	} {
		if got := milliseconds(d); got != want {
			t.Errorf("%v: got %s, want %s", d, got, want)
		}
	}
}
