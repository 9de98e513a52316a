package flags

import (
	"strings"
	"testing"
	"time"
)

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
