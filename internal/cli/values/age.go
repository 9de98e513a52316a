package values

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// An Age is a point in time in rclone's syntax: how long ago it was, or a date, and perhaps a time of day, in the time zone
// of this host.
type Age struct {
	At  *time.Time
	Now func() time.Time
}

func (a *Age) Type() string   { return "TIME" }
func (a *Age) String() string { return "" }

func (a *Age) Set(text string) error {
	now := a.Now()
	for _, layout := range []string{time.DateOnly, "2006-01-02T15:04", "2006-01-02T15:04:05", time.DateTime, time.RFC3339} {
		if at, err := time.ParseInLocation(layout, text, now.Location()); err == nil {
			*a.At = at
			return nil
		}
	}
	ago, err := parseAgo(text)
	if err != nil {
		return fmt.Errorf("%q is no time; write for instance 90s, 36h, 2d, 3w, 6M, 1y, or 2030-12-31", text)
	}
	*a.At = now.Add(-ago)
	return nil
}

// longUnits are those that [time.ParseDuration] does not know, as long as rclone takes them to be.
var longUnits = []struct {
	unit string
	days float64
}{{"d", 1}, {"w", 7}, {"M", 30}, {"y", 365}}

// parseAgo parses a duration, which is in seconds if it has no unit.
func parseAgo(text string) (time.Duration, error) {
	day := float64(24 * time.Hour)
	for _, u := range longUnits {
		if number, found := strings.CutSuffix(text, u.unit); found {
			return parseDuration(number, u.days*day)
		}
	}
	if d, err := time.ParseDuration(text); err == nil && d >= 0 {
		return d, nil
	}
	return parseDuration(text, float64(time.Second))
}

// parseDuration parses a number of units.
func parseDuration(number string, unit float64) (time.Duration, error) {
	n, err := strconv.ParseFloat(number, 64)
	if d := n * unit; err == nil && d >= 0 && d < 1<<62 {
		return time.Duration(d), nil
	}
	return 0, errNoTime
}
