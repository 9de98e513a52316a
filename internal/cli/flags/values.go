package flags

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"psync/internal/plan"
)

// A constant is a switch that chooses a value.
type constant[T comparable] struct {
	chosen *T
	value  T // that the switch chooses
}

func (c constant[T]) isBoolean()     {}
func (c constant[T]) Type() string   { return "bool" }
func (c constant[T]) String() string { return strconv.FormatBool(*c.chosen == c.value) }

func (c constant[T]) Set(text string) error {
	on, err := strconv.ParseBool(text)
	if on {
		*c.chosen = c.value
	}
	return err
}

// A toggle is switched on, or off by =false.
type toggle bool

func (t *toggle) isBoolean()     {}
func (t *toggle) Type() string   { return "bool" }
func (t *toggle) String() string { return strconv.FormatBool(bool(*t)) }

func (t *toggle) Set(text string) error {
	on, err := strconv.ParseBool(text)
	if err == nil {
		*t = toggle(on)
	}
	return err
}

// An inverse is a switch that turns another switch off.
type inverse struct{ other *bool }

func (v inverse) isBoolean()     {}
func (v inverse) Type() string   { return "bool" }
func (v inverse) String() string { return "" }

func (v inverse) Set(text string) error {
	on, err := strconv.ParseBool(text)
	if err == nil {
		*v.other = !on
	}
	return err
}

// A number is one from 1 on.
type number int64

func (n *number) Type() string   { return "N" }
func (n *number) String() string { return "" }

func (n *number) Set(text string) error {
	v, err := strconv.ParseInt(text, 10, 64)
	if err != nil || v < 1 {
		return fmt.Errorf("%q is not a number from 1 on", text)
	}
	*n = number(v)
	return nil
}

// A word is any text.
type word string

func (w *word) Type() string          { return "string" }
func (w *word) String() string        { return string(*w) }
func (w *word) Set(text string) error { *w = word(text); return nil }

// words are the values of a flag that may be repeated.
type words []string

func (w *words) Type() string          { return "stringArray" } // by "Array" cobra knows that it may be repeated
func (w *words) String() string        { return "" }
func (w *words) Set(text string) error { *w = append(*w, text); return nil }

// A choice is one of some words.
type choice struct {
	words []string
	set   func(i int) // takes the index of a word
}

func (c *choice) Type() string   { return strings.Join(c.words, "|") }
func (c *choice) String() string { return "" }

func (c *choice) Set(text string) error {
	i := slices.Index(c.words, text)
	switch {
	case i >= 0:
		c.set(i)
		return nil
	case len(c.words) == 2:
		return fmt.Errorf("%q is neither %s nor %s", text, c.words[0], c.words[1])
	}
	return fmt.Errorf("%q is none of %s", text, strings.Join(c.words, ", "))
}

// A size is a number of bytes in rsync's syntax: 100, 1.5M, 10KB, 2GiB, 1G-1.
type size struct {
	n   *int64
	set *bool // it was typed
}

func (s *size) Type() string   { return "SIZE" }
func (s *size) String() string { return "" }

func (s *size) Set(text string) error {
	n, err := parseSize(text)
	if err == nil {
		*s.n, *s.set = n, true
	}
	return err
}

func parseSize(text string) (int64, error) {
	bad := fmt.Errorf("%q is not a size; write for instance 1000, 1.5M, 10KB or 2GiB", text)
	rest, add := text, 0.0
	switch {
	case strings.HasSuffix(rest, "+1"):
		rest, add = rest[:len(rest)-2], 1
	case strings.HasSuffix(rest, "-1"):
		rest, add = rest[:len(rest)-2], -1
	}
	i := strings.IndexFunc(rest, func(r rune) bool { return r != '.' && (r < '0' || r > '9') })
	if i < 0 {
		i = len(rest)
	}
	number, err := strconv.ParseFloat(rest[:i], 64)
	if err != nil {
		return 0, bad
	}
	unit := rest[i:]
	if strings.ContainsFunc(unit, func(r rune) bool { return r >= 0x80 }) {
		return 0, bad // some other letters have ASCII letters as their upper case
	}
	unit = strings.ToUpper(unit)
	exponent := 0
	if unit != "" && unit != "B" {
		exponent = strings.IndexByte("KMGTPE", unit[0]) + 1
		if exponent == 0 {
			return 0, bad
		}
		unit = unit[1:]
	}
	base := 1024.0
	switch {
	case unit == "B" && exponent > 0:
		base = 1000
	case unit == "" || unit == "IB" || unit == "B":
	default:
		return 0, bad
	}
	n := number*math.Pow(base, float64(exponent)) + add
	if n < 0 || n >= math.MaxInt64 {
		return 0, bad
	}
	return int64(n), nil
}

// seconds is a time in seconds, optionally with decimals.
type seconds time.Duration

func (s *seconds) Type() string { return "SECONDS" }

func (s *seconds) String() string {
	if *s == 0 {
		return ""
	}
	return time.Duration(*s).String()
}

func (s *seconds) Set(text string) error {
	n, err := strconv.ParseFloat(text, 64)
	if err != nil || !(n >= 0 && n <= 1e9) { // NaN fails both comparisons
		return fmt.Errorf("%q is not a number of seconds", text)
	}
	*s = seconds(n * float64(time.Second))
	return nil
}

// A window is a number of seconds, or a number below zero, which stands for no tolerance at all.
type window time.Duration

func (w *window) Type() string   { return "SECONDS" }
func (w *window) String() string { return (*seconds)(w).String() }

func (w *window) Set(text string) error {
	number, below := strings.CutPrefix(text, "-")
	if err := (*seconds)(w).Set(number); err != nil {
		return fmt.Errorf("%q is not a number of seconds", text)
	}
	if below {
		*w = -*w
	}
	return nil
}

// A period is a time in seconds, optionally with decimals, or one with units, such as 2m or 1h30m.
type period struct {
	d   *time.Duration
	set *bool // it was typed
}

func (p *period) Type() string   { return "SECONDS" }
func (p *period) String() string { return "" }

func (p *period) Set(text string) error {
	var s seconds
	d, err := time.ParseDuration(text)
	if s.Set(text) == nil {
		d, err = time.Duration(s), nil
	}
	if err != nil || d < 0 {
		return fmt.Errorf("%q is not a time; write for instance 90, 90s, 10m or 1h30m", text)
	}
	*p.d, *p.set = d, true
	return nil
}

// A limit is a number of entries, or a percentage of the entries.
type limit struct{ limit **plan.Limit }

func (l *limit) Type() string   { return "N" }
func (l *limit) String() string { return "" }

func (l *limit) Set(text string) error {
	number, percent := strings.CutSuffix(text, "%")
	n, err := strconv.ParseInt(number, 10, 64)
	if err != nil || n < 0 || percent && n > 100 {
		return fmt.Errorf("%q is neither a number of entries nor a percentage", text)
	}
	*l.limit = &plan.Limit{N: n, Percent: percent}
	return nil
}
