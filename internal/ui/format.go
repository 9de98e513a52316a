package ui

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// Count returns n with its digits in groups of three: 1,234,567.
func Count(n int64) string {
	s := strconv.FormatInt(n, 10)
	sign := ""
	if n < 0 {
		sign, s = "-", s[1:]
	}
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return sign + s
}

// Things returns n with the matching noun: 1 file, 2 files.
func Things(n int64, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return Count(n) + " " + many
}

// were returns n with the matching noun and verb: 1 file was, 2 files were.
func were(n int64, one, many string) string {
	if n == 1 {
		return "1 " + one + " was"
	}
	return Things(n, one, many) + " were"
}

// A described is a number of things, and what they are or have.
type described struct {
	n     int64
	words string
}

// nameFirst lists the numbers that are not zero. Only the first is followed by the noun.
func nameFirst(one, many string, all []described) string {
	var parts []string
	for _, s := range all {
		switch {
		case s.n == 0:
		case parts == nil:
			parts = append(parts, Things(s.n, one, many)+" "+s.words)
		default:
			parts = append(parts, Count(s.n)+" "+s.words)
		}
	}
	return strings.Join(parts, ", ")
}

// Size returns n bytes in binary units, with at most three significant digits
// below 1000 of a unit: 1.2 GiB.
func Size(n int64) string {
	unit, name := unitOf(n)
	if unit == 1 {
		return strconv.FormatInt(n, 10) + " " + name
	}
	return digits(float64(n)/unit) + " " + name
}

// unitOf returns the binary unit that suits n bytes, in bytes, and its name.
func unitOf(n int64) (unit float64, name string) {
	if n < 1024 {
		return 1, "B"
	}
	const units = "KMGTPE"
	unit = 1024
	for i := range units {
		if name = units[i:i+1] + "iB"; math.Round(float64(n)/unit) < 1024 {
			break
		}
		unit *= 1024
	}
	return unit, name
}

// digits returns v rounded to three significant digits, without trailing zeros.
func digits(v float64) string {
	precision := 2
	switch {
	case v >= 99.95:
		return strconv.FormatFloat(v, 'f', 0, 64)
	case v >= 9.995:
		precision = 1
	}
	s := strconv.FormatFloat(v, 'f', precision, 64)
	return strings.TrimRight(strings.TrimRight(s, "0"), ".")
}

// sizes returns two sizes in the unit of whole, with part padded to the width of whole:  5.6/12.0 GiB.
func sizes(part, whole int64) string {
	whole = max(part, whole)
	unit, name := unitOf(whole)
	precision := 0
	if unit > 1 && float64(whole)/unit < 99.95 {
		precision = 1
	}
	w := strconv.FormatFloat(float64(whole)/unit, 'f', precision, 64)
	p := strconv.FormatFloat(float64(part)/unit, 'f', precision, 64)
	return fmt.Sprintf("%*s/%s %s", len(w), p, w, name)
}

// speed returns a number of bytes per second. Its width is the same for all numbers from 1 KiB/s: 1.00
// MiB/s, 1023 KiB/s.
func speed(n int64) string {
	unit, name := unitOf(n)
	v := float64(n) / unit
	precision := 2
	switch {
	case unit == 1 || v >= 99.95:
		precision = 0
	case v >= 9.995:
		precision = 1
	}
	return fmt.Sprintf("%4.*f %s/s", precision, v, name)
}

// perSecond returns n in d as a rate, or "" if d is zero.
func perSecond(n int64, d time.Duration) string {
	if d <= 0 {
		return ""
	}
	return Size(int64(float64(n)/d.Seconds())) + "/s"
}

// elapsed returns a measured time: 120 ms, 3.4 s, 2m05s, 1h02m.
func elapsed(d time.Duration) string {
	switch {
	case d < time.Second:
		return fmt.Sprintf("%d ms", d.Milliseconds())
	case d < 59950*time.Millisecond:
		return fmt.Sprintf("%.1f s", d.Seconds())
	}
	return About(d)
}

// About returns a rough time with its leading units: 12s, 2m05s, 1h02m, 3d04h.
func About(d time.Duration) string {
	d = d.Round(time.Second)
	s := int64(d / time.Second)
	m, h := s/60, s/3600
	switch {
	case m == 0:
		return fmt.Sprintf("%ds", s)
	case h == 0:
		return fmt.Sprintf("%dm%02ds", m, s%60)
	case h < 24:
		return fmt.Sprintf("%dh%02dm", h, m%60)
	}
	return fmt.Sprintf("%dd%02dh", h/24, h%24)
}
