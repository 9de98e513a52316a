package values

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Minutes are the time that a run may take, with decimals where that is wanted.
type Minutes struct {
	Until *time.Time
	Now   func() time.Time
}

func (m *Minutes) Type() string   { return "MINUTES" }
func (m *Minutes) String() string { return "" }

func (m *Minutes) Set(text string) error {
	const most = 100 * 365 * 24 * 60
	n, err := strconv.ParseFloat(text, 64)
	if err != nil || !(n > 0 && n <= most) { // NaN fails both comparisons
		return fmt.Errorf("%q is not a number of minutes above 0", text)
	}
	*m.Until = m.Now().Add(time.Duration(n * float64(time.Minute)))
	return nil
}

// A PointInTime is when a run is to stop, in rsync's syntax.
type PointInTime struct {
	Until *time.Time
	Now   func() time.Time
}

func (p *PointInTime) Type() string   { return "TIME" }
func (p *PointInTime) String() string { return "" }

func (p *PointInTime) Set(text string) error {
	at, err := parsePointInTime(text, p.Now())
	switch {
	case err != nil:
		return fmt.Errorf("%q is not a point in time; write for instance 14:00, 12-31 or 2030-12-31T23:59", text)
	case !at.After(p.Now()):
		return fmt.Errorf("%q is in the past", text)
	}
	*p.Until = at
	return nil
}

var errNoTime = errors.New("no point in time")

// parsePointInTime returns the point in time that [[[YEAR-]MONTH-]DAY][THOUR:MINUTE] stands for, in the time zone of
// now. What is left out in front is the next that comes after now: a day, month, year, or for :MINUTE an hour. Without
// an hour, it is midnight.
func parsePointInTime(text string, now time.Time) (time.Time, error) {
	date, clock := text, ""
	i := strings.IndexAny(text, "Tt:")
	switch {
	case i >= 0 && text[i] != ':':
		date, clock = text[:i], text[i+1:]
		if clock != "" && !strings.Contains(clock, ":") || clock == "" && date == "" {
			return time.Time{}, errNoTime
		}
	case i >= 0:
		date, clock = "", text
	}
	days, err := numbers(strings.ReplaceAll(date, "/", "-"), "-", 3)
	if err != nil {
		return time.Time{}, err
	}
	anyHour := strings.HasPrefix(clock, ":")
	hours, err := numbers(strings.TrimPrefix(clock, ":"), ":", 2)
	if err != nil || len(hours) == 1 && (!anyHour || len(days) > 0) || len(hours) == 2 && anyHour || len(days)+len(hours) == 0 {
		return time.Time{}, errNoTime
	}
	return nextTime(days, hours, now)
}

// numbers parses at most n numbers with separators between them.
func numbers(text, separator string, n int) (all []int, err error) {
	if text == "" {
		return nil, nil
	}
	for part := range strings.SplitSeq(text, separator) {
		number, err := strconv.ParseUint(part, 10, 15)
		if err != nil || len(all) == n {
			return nil, errNoTime
		}
		all = append(all, int(number))
	}
	return all, nil
}

// nextTime returns the next point in time of which the last parts are known: of year, month and day, and of hour and
// minute.
func nextTime(days, hours []int, now time.Time) (time.Time, error) {
	year, m, day := now.Date()
	month, hour, minute := int(m), 0, 0
	known := len(days)
	switch known {
	case 3:
		year = fullYear(days[0], year)
		fallthrough
	case 2:
		month = days[known-2]
		fallthrough
	case 1:
		day = days[known-1]
	}
	switch len(hours) {
	case 1:
		hour, minute = now.Hour(), hours[0]
	case 2:
		hour, minute = hours[0], hours[1]
	}
	if month < 1 || month > 12 || day < 1 || day > 31 || hour > 23 || minute > 59 {
		return time.Time{}, errNoTime
	}
	const most = 60 // tries: a 29 February comes after 8 years at the latest
	for range most {
		at := time.Date(year, time.Month(month), day, hour, minute, 0, 0, now.Location())
		exists := at.Day() == day || known == 0
		switch {
		case known == 3 && !exists:
			return time.Time{}, errNoTime
		case known == 3, exists && at.After(now):
			return at, nil
		case known == 2:
			year++
		case known == 1:
			year, month = year+month/12, month%12+1
		case len(hours) == 1:
			hour++
		default:
			day++
		}
	}
	return time.Time{}, errNoTime
}

// fullYear returns a year as written with two digits, or four: the first from now on that ends in those digits.
func fullYear(year, now int) int {
	if year >= 100 {
		return year
	}
	year += now / 100 * 100
	if year < now {
		year += 100
	}
	return year
}
