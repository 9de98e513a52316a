package cli

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"psync/internal/engine"
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
			var s size
			err := s.Set(tt.text)
			switch {
			case tt.want < 0 && err == nil:
				t.Errorf("%q is %d, want an error", tt.text, s.n)
			case tt.want < 0 && (s.set || !strings.Contains(err.Error(), fmt.Sprintf("%q", tt.text))):
				t.Errorf("%q: set %v, error %v", tt.text, s.set, err)
			case tt.want >= 0 && (err != nil || s.n != tt.want || !s.set):
				t.Errorf("%q is %d, set %v, %v; want %d", tt.text, s.n, s.set, err, tt.want)
			}
		})
	}
}

func TestSizeOfZeroIsASize(t *testing.T) {
	var s size
	if s.String() != "" {
		t.Errorf("a size that is not set prints %q", s.String())
	}
	if err := s.Set("0"); err != nil || s.String() != "0" || !s.set {
		t.Errorf("set to 0: %q, %v", s.String(), err)
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
			var s seconds
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
		want *engine.Limit
	}{
		{"0", &engine.Limit{}},
		{"10", &engine.Limit{N: 10}},
		{"9223372036854775807", &engine.Limit{N: math.MaxInt64}},
		{"0%", &engine.Limit{Percent: true}},
		{"5%", &engine.Limit{N: 5, Percent: true}},
		{"100%", &engine.Limit{N: 100, Percent: true}},
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
			var l limit
			if l.String() != "" {
				t.Errorf("a limit that is not set prints %q", l.String())
			}
			err := l.Set(tt.text)
			switch {
			case tt.want == nil && (err == nil || l.Limit != nil):
				t.Errorf("%q is %+v, %v; want an error", tt.text, l.Limit, err)
			case tt.want == nil:
			case err != nil || l.Limit == nil || *l.Limit != *tt.want:
				t.Errorf("%q is %+v, %v; want %+v", tt.text, l.Limit, err, tt.want)
			case l.String() != tt.text:
				t.Errorf("%q prints %q", tt.text, l.String())
			}
		})
	}
}

func TestTakesValue(t *testing.T) {
	c, f := new(cobra.Command), &copyFlags{verb: bareVerb}
	f.add(c)
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
		{"-yj", false}, // unknown
		{"-vyj", false},
		{"-\u00e9j", false},
		{"j", false},
		{"threads", false},
		{"src", false},
	}
	for _, tt := range tests {
		if got := takesValue(c.Flags(), tt.arg); got != tt.want {
			t.Errorf("takesValue(%q) = %v, want %v", tt.arg, got, tt.want)
		}
	}
}

// TestExpandWordsOfSync uses the flags that there really are.
func TestExpandWordsOfSync(t *testing.T) {
	c, f := new(cobra.Command), &copyFlags{verb: bareVerb}
	f.add(c)
	tests := []struct{ args, want string }{
		{"-sync a b", "--sync a b"},
		{"-delete a b", "--delete a b"},
		{"-update a b", "--update a b"},
		{"-sync -delete -update -dryrun a b", "--sync --delete --update --dry-run a b"},
		{"a b -sync -delete", "a b --sync --delete"},
		{"-sync=false -delete=true a b", "--sync=false --delete=true a b"},
		{"-threads 4 -sync a b", "--threads=4 --sync a b"},
		{"-vj 4 -sync a b", "-vj 4 --sync a b"},
		{"-T sync -delete a b", "-T sync --delete a b"}, // sync is the value of -T, not the verb
		{"--max-delete sync -delete a b", "--max-delete sync --delete a b"},
		{"--exclude -sync a b", "--exclude -sync a b"},
		{"sync -delete a b", "sync -delete a b"}, // the verb: a cluster
		{"sync a b -update", "sync a b -update"},
		{"-v sync -delete a b", "-v sync -delete a b"},
		{"-delete sync a b", "--delete sync a b"},
		{"./sync -delete b", "./sync --delete b"},
		{"a sync -delete", "a sync --delete"},
		{"-- -sync -delete", "-- -sync -delete"},
		{"-sync -- -delete", "--sync -- -delete"},
		{"-syncs a b", "-syncs a b"},
		{"--sync a b", "--sync a b"},
		{"-deleted a b", "-deleted a b"},
	}
	for _, tt := range tests {
		got := expandWords(strings.Fields(tt.args),
			func(s string) bool { return s == "sync" || s == "copy" },
			func(s string) bool { return takesValue(c.Flags(), s) })
		want := strings.Fields(tt.want)
		if !slices.Equal(got, want) {
			t.Errorf("%s\n got %q\nwant %q", tt.args, got, want)
		}
	}
}
