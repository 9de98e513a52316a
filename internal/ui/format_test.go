package ui

import (
	"math"
	"testing"
	"time"
)

func TestCount(t *testing.T) {
	tests := []struct {
		n    int64
		want string
	}{
		{0, "0"},
		{999, "999"},
		{1000, "1,000"},
		{123456, "123,456"},
		{1234567, "1,234,567"},
		{-999, "-999"},
		{-1000, "-1,000"},
		{math.MinInt64, "-9,223,372,036,854,775,808"},
	}
	for _, test := range tests {
		if got := Count(test.n); got != test.want {
			t.Errorf("count(%d) = %s, want %s", test.n, got, test.want)
		}
	}
}

func TestThings(t *testing.T) {
	tests := []struct {
		n          int64
		want, were string
	}{
		{0, "0 entries", "0 entries were"},
		{1, "1 entry", "1 entry was"},
		{1234, "1,234 entries", "1,234 entries were"},
	}
	for _, test := range tests {
		if got := Things(test.n, "entry", "entries"); got != test.want {
			t.Errorf("Things(%d) = %s, want %s", test.n, got, test.want)
		}
		if got := were(test.n, "entry", "entries"); got != test.were {
			t.Errorf("were(%d) = %s, want %s", test.n, got, test.were)
		}
	}
}

func TestSize(t *testing.T) {
	const kib, mib, gib = 1 << 10, 1 << 20, 1 << 30
	tests := []struct {
		n    int64
		want string
	}{
		{0, "0 B"},
		{1023, "1023 B"},
		{kib, "1 KiB"},
		{kib + 205, "1.2 KiB"},
		{1260, "1.23 KiB"},
		{12*kib + 350, "12.3 KiB"},
		{100 * kib, "100 KiB"},
		{1023 * kib, "1023 KiB"},
		{mib - 1, "1 MiB"},
		{360 * mib, "360 MiB"},
		{6 * gib / 5, "1.2 GiB"},
		{5 << 40, "5 TiB"},
		{math.MaxInt64, "8 EiB"},
	}
	for _, test := range tests {
		if got := Size(test.n); got != test.want {
			t.Errorf("size(%d) = %s, want %s", test.n, got, test.want)
		}
	}
}

func TestSizesShareTheUnitOfTheLarger(t *testing.T) {
	tests := []struct {
		part, whole int64
		want        string
	}{
		{0, 0, "0/0 B"},
		{0, 2048, "0.0/2.0 KiB"},
		{1024, 2048, "1.0/2.0 KiB"},
		{512 << 20, 2 << 30, "0.5/2.0 GiB"},
		{5 << 30, 12 << 30, " 5.0/12.0 GiB"},
		{5 << 30, 120 << 30, "  5/120 GiB"},
	}
	for _, test := range tests {
		if got := sizes(test.part, test.whole); got != test.want {
			t.Errorf("sizes(%d, %d) = %s, want %s", test.part, test.whole, got, test.want)
		}
	}
}

func TestSpeedKeepsItsWidth(t *testing.T) {
	for _, test := range []struct {
		n    int64
		want string
	}{
		{0, "   0 B/s"},
		{1023, "1023 B/s"},
		{1 << 10, "1.00 KiB/s"},
		{999 << 10, " 999 KiB/s"},
		{12 << 20, "12.0 MiB/s"},
		{310 << 20, " 310 MiB/s"},
		{1 << 30, "1.00 GiB/s"},
	} {
		if got := speed(test.n); got != test.want {
			t.Errorf("speed(%d) = %q, want %q", test.n, got, test.want)
		}
	}
}

func TestPerSecond(t *testing.T) {
	tests := []struct {
		n    int64
		d    time.Duration
		want string
	}{
		{3 << 20, 2 * time.Second, "1.5 MiB/s"},
		{1 << 10, time.Second / 2, "2 KiB/s"},
		{0, time.Second, "0 B/s"},
		{1 << 10, 0, ""},
	}
	for _, test := range tests {
		if got := perSecond(test.n, test.d); got != test.want {
			t.Errorf("perSecond(%d, %v) = %q, want %q", test.n, test.d, got, test.want)
		}
	}
}

func TestTimes(t *testing.T) {
	const s, m, h = time.Second, time.Minute, time.Hour
	tests := []struct {
		d              time.Duration
		elapsed, about string
	}{
		{0, "0 ms", "0s"},
		{120 * time.Millisecond, "120 ms", "0s"},
		{s, "1.0 s", "1s"},
		{3*s + 400*time.Millisecond, "3.4 s", "3s"},
		{59*s + 900*time.Millisecond, "59.9 s", "1m00s"},
		{59*s + 999*time.Millisecond, "1m00s", "1m00s"},
		{2*m + 5*s, "2m05s", "2m05s"},
		{h - time.Millisecond, "1h00m", "1h00m"},
		{h + 2*m + 40*s, "1h02m", "1h02m"},
		{24 * h, "1d00h", "1d00h"},
		{76*h + 59*m, "3d04h", "3d04h"},
	}
	for _, test := range tests {
		if got := elapsed(test.d); got != test.elapsed {
			t.Errorf("elapsed(%v) = %s, want %s", test.d, got, test.elapsed)
		}
		if got := About(test.d); got != test.about {
			t.Errorf("About(%v) = %s, want %s", test.d, got, test.about)
		}
	}
}
