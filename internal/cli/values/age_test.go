package values

import (
	"testing"
	"time"
)

func TestAges(t *testing.T) {
	now := time.Date(2027, time.November, 30, 15, 4, 5, 0, time.FixedZone("there", 3600))
	for _, tt := range []struct{ text, want string }{
		{"0", "2027-11-30T15:04:05"},
		{"65", "2027-11-30T15:03:00"},
		{"65s", "2027-11-30T15:03:00"},
		{"1h4m5s", "2027-11-30T14:00:00"},
		{"36h", "2027-11-29T03:04:05"},
		{"2d", "2027-11-28T15:04:05"},
		{"1.5d", "2027-11-29T03:04:05"},
		{"3w", "2027-11-09T15:04:05"},
		{"1M", "2027-10-31T15:04:05"},
		{"1y", "2026-11-30T15:04:05"},
		{"2020-02-29", "2020-02-29T00:00:00"},
		{"2020-02-29T13:14", "2020-02-29T13:14:00"},
		{"2020-02-29 13:14:15", "2020-02-29T13:14:15"},
		{"2020-02-29T13:14:15Z", "2020-02-29T14:14:15"},
		{"", ""},
		{"-2d", ""},
		{"2 d", ""},
		{"NaN", ""},
		{"1000000y", ""},
		{"yesterday", ""},
		{"2020-02-30", ""},
	} {
		var at time.Time
		err := (&Age{At: &at, Now: func() time.Time { return now }}).Set(tt.text)
		got := at.In(now.Location()).Format("2006-01-02T15:04:05")
		if err != nil {
			got = ""
		}
		if got != tt.want {
			t.Errorf("%q: %q, %v, want %q", tt.text, got, err, tt.want)
		}
	}
}
