package flags

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"psync/internal/cli/values"
	"psync/internal/plan"

	"github.com/spf13/cobra"
)

func TestSize(t *testing.T) {
	const k, m, g = 1 << 10, 1 << 20, 1 << 30
	tests := []struct {
		text string
		want int64 // -1: no size
	}{
		{"0", 0},
		{"1", 1},
		{"1000", 1000},
		{"1b", 1},
		{"1B", 1},
		{"1K", k},
		{"1k", k},
		{"1KiB", k},
		{"1kib", k},
		{"1KB", 1000},
		{"1kb", 1000},
		{"2M", 2 * m},
		{"2MiB", 2 * m},
		{"2MB", 2_000_000},
		{"3G", 3 * g},
		{"3GB", 3_000_000_000},
		{"1T", 1 << 40},
		{"1TB", 1_000_000_000_000},
		{"1P", 1 << 50},
		{"1E", 1 << 60},
		{"7E", 7 << 60},
		{"1.5M", 3 * m / 2},
		{"1.5KB", 1500},
		{".5K", k / 2},
		{"1.", 1},
		{"1.9", 1},
		{"1K+1", k + 1},
		{"1K-1", k - 1},
		{"2GiB-1", 2*g - 1},
		{"1+1", 2},
		{"1-1", 0},
		{"0-1", -1},
		{"8E", -1},
		{"", -1},
		{"K", -1},
		{"B", -1},
		{".", -1},
		{"-1", -1},
		{"+1", -1},
		{"-5", -1},
		{"+5", -1},
		{"1+2", -1},
		{"1K+", -1},
		{"1.2.3", -1},
		{"1 K", -1},
		{" 1", -1},
		{"1X", -1},
		{"1KK", -1},
		{"1KiBB", -1},
		{"1iB", -1},
		{"1Ki", -1},
		{"1e3", -1},
		{"0x10", -1},
		{"inf", -1},
		{"nan", -1},
		{"1_000", -1},
		{"1,5", -1},
		{"ten", -1},
		{"1\u212a", -1},   // the sign for kelvin
		{"1K\u0131b", -1}, // a dotless i
	}
	for _, tt := range tests {
		t.Run(tt.text, func(t *testing.T) {
			var n int64
			var typed bool
			err := (&values.Size{N: &n, Typed: &typed}).Set(tt.text)
			switch {
			case tt.want < 0 && err == nil:
				t.Errorf("%q is %d, want an error", tt.text, n)
			case tt.want < 0 && (typed || !strings.Contains(err.Error(), fmt.Sprintf("%q", tt.text))):
				t.Errorf("%q: set %v, error %v", tt.text, typed, err)
			case tt.want >= 0 && (err != nil || n != tt.want || !typed):
				t.Errorf("%q is %d, set %v, %v; want %d", tt.text, n, typed, err, tt.want)
			}
		})
	}
}

func TestPeriod(t *testing.T) {
	tests := []struct {
		text string
		want time.Duration // -1: an error
	}{
		{"0", 0},
		{"90", 90 * time.Second},
		{"2.5", 2500 * time.Millisecond},
		{"90s", 90 * time.Second},
		{"10m", 10 * time.Minute},
		{"1h30m", 90 * time.Minute},
		{"", -1},
		{"-1", -1},
		{"-1s", -1},
		{"1 h", -1},
		{"forever", -1},
		{"inf", -1},
	}
	for _, tt := range tests {
		t.Run(tt.text, func(t *testing.T) {
			var d time.Duration
			var typed bool
			err := (&values.Period{D: &d, Typed: &typed}).Set(tt.text)
			switch {
			case tt.want < 0 && (err == nil || typed):
				t.Errorf("%q is %v, set %v, want an error", tt.text, d, typed)
			case tt.want >= 0 && (err != nil || d != tt.want || !typed):
				t.Errorf("%q is %v, set %v, %v; want %v", tt.text, d, typed, err, tt.want)
			}
		})
	}
}

func TestSeconds(t *testing.T) {
	tests := []struct {
		text string
		want time.Duration // -1: an error
	}{
		{"0", 0},
		{"1", time.Second},
		{"2.5", 2500 * time.Millisecond},
		{"0.000000001", 1},
		{"1000000000", 1e9 * time.Second},
		{"1000000001", -1},
		{"-1", -1},
		{"-0.5", -1},
		{"", -1},
		{"1s", -1},
		{"inf", -1},
		{"nan", -1},
		{"NaN", -1},
		{"two", -1},
	}
	for _, tt := range tests {
		t.Run(tt.text, func(t *testing.T) {
			var s values.Seconds
			err := s.Set(tt.text)
			switch {
			case tt.want < 0 && err == nil:
				t.Errorf("%q is %v, want an error", tt.text, time.Duration(s))
			case tt.want >= 0 && (err != nil || time.Duration(s) != tt.want):
				t.Errorf("%q is %v, %v; want %v", tt.text, time.Duration(s), err, tt.want)
			}
		})
	}
}

func TestLimit(t *testing.T) {
	tests := []struct {
		text string
		want *plan.Limit
	}{
		{"0", &plan.Limit{}},
		{"10", &plan.Limit{N: 10}},
		{"9223372036854775807", &plan.Limit{N: math.MaxInt64}},
		{"0%", &plan.Limit{Percent: true}},
		{"5%", &plan.Limit{N: 5, Percent: true}},
		{"100%", &plan.Limit{N: 100, Percent: true}},
		{"101%", nil},
		{"-1", nil},
		{"-1%", nil},
		{"", nil},
		{"%", nil},
		{"1.5", nil},
		{"1.5%", nil},
		{"5%%", nil},
		{"5 %", nil},
		{"9223372036854775808", nil},
		{"ten", nil},
	}
	for _, tt := range tests {
		t.Run(tt.text, func(t *testing.T) {
			var got *plan.Limit
			err := (&values.Limit{Limit: &got}).Set(tt.text)
			switch {
			case tt.want == nil && (err == nil || got != nil):
				t.Errorf("%q is %+v, %v; want an error", tt.text, got, err)
			case tt.want == nil:
			case err != nil || got == nil || *got != *tt.want:
				t.Errorf("%q is %+v, %v; want %+v", tt.text, got, err, tt.want)
			}
		})
	}
}

func TestTakesValue(t *testing.T) {
	c := new(cobra.Command)
	Define(c, Bare)
	tests := []struct {
		arg  string
		want bool
	}{
		{"--threads", true},
		{"--transfers", true}, // a synonym
		{"--threads=3", false},
		{"--max-delete", true},
		{"--exclude", true},
		{"--link-dest", true},
		{"--delete", false},
		{"--del", false},
		{"--update", false},
		{"--unknown", false},
		{"--", false},
		{"-", false},
		{"", false},
		{"-j", true},
		{"-j3", false},
		{"-vj", true},
		{"-vj3", false},
		{"-vnuj", true},
		{"-jv", false}, // v is the value
		{"-T", true},
		{"-f", true},
		{"-bT", true},
		{"-v", false},
		{"-vn", false},
		{"-Gj", false}, // unknown
		{"-vGj", false},
		{"-\u00e9j", false},
		{"j", false},
		{"threads", false},
		{"src", false},
	}
	for _, tt := range tests {
		if got := TakesValue(c.Flags(), tt.arg); got != tt.want {
			t.Errorf("TakesValue(%q) = %v, want %v", tt.arg, got, tt.want)
		}
	}
}
