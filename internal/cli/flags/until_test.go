package flags

import (
	"strings"
	"testing"
	"time"
)

func TestPointsInTime(t *testing.T) {
	now := time.Date(2027, time.November, 30, 15, 4, 5, 0, time.FixedZone("there", 3600))
	for _, tt := range []struct{ text, want string }{
		{"2027-12-31T23:59", "2027-12-31T23:59"},
		{"2027/12/31T23:59", "2027-12-31T23:59"},
		{"27-12-31", "2027-12-31T00:00"},
		{"26-12-31", "2126-12-31T00:00"},
		{"2020-01-01", "2020-01-01T00:00"}, // which is refused as it is in the past
		{"12-31t1:2", "2027-12-31T01:02"},
		{"1-30", "2028-01-30T00:00"},
		{"2-29", "2028-02-29T00:00"},
		{"11-30", "2028-11-30T00:00"},
		{"11-30T16:00", "2027-11-30T16:00"},
		{"1", "2027-12-01T00:00"},
		{"31", "2027-12-31T00:00"},
		{"30", "2027-12-30T00:00"},
		{"30T", "2027-12-30T00:00"},
		{"30T15:05", "2027-11-30T15:05"},
		{"14:00", "2027-12-01T14:00"},
		{"T14:00", "2027-12-01T14:00"},
		{"15:04", "2027-12-01T15:04"},
		{"15:05", "2027-11-30T15:05"},
		{":59", "2027-11-30T15:59"},
		{":03", "2027-11-30T16:03"},
	} {
		got, err := parsePointInTime(tt.text, now)
		if err != nil || got.Format("2006-01-02T15:04") != tt.want {
			t.Errorf("%s is %v, %v, want %s", tt.text, got, err, tt.want)
		}
	}
	for _, text := range []string{
		"", "T", ":", "x", "T14", "1-2-3-4", "13-1", "0", "32", "2027-2-29", "2-30", "24:00", "1:60", "1:2:3", ":1:2",
		"-1", "1-", "1--2", "12-31T5", "12-31T:5", "1 2", "14:", "999999-1-1",
	} {
		if got, err := parsePointInTime(text, now); err == nil {
			t.Errorf("%q is %v, want an error", text, got)
		}
	}
}

func TestTimesOfRuns(t *testing.T) {
	before := time.Now()
	o, err := parse(Copy, "--time-limit=2.5")
	if err != nil || o.Engine.Until.Before(before.Add(150*time.Second)) || o.Engine.Until.After(time.Now().Add(150*time.Second)) {
		t.Errorf("until %v, %v", o.Engine.Until, err)
	}
	for _, tt := range []struct{ arg, err string }{
		{"--stop-after=0", "is not a number of minutes above 0"},
		{"--stop-after=-1", "is not a number of minutes above 0"},
		{"--stop-after=soon", "is not a number of minutes above 0"},
		{"--stop-after=NaN", "is not a number of minutes above 0"},
		{"--stop-at=2001-01-01", "is in the past"},
		{"--stop-at=noon", "is not a point in time"},
	} {
		if _, err := parse(Copy, tt.arg); err == nil || !strings.Contains(err.Error(), tt.err) {
			t.Errorf("%s: error %v, want one about %q", tt.arg, err, tt.err)
		}
	}
}
