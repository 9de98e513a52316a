// Package values parses the values of flags.
package values

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"psync/internal/plan"
)

// A Constant is a switch that chooses a value.
type Constant[T comparable] struct {
	Chosen    *T
	Value     T // that the switch chooses
	Otherwise T // that =false chooses
}

func (c Constant[T]) IsBoolean()     {}
func (c Constant[T]) Type() string   { return "bool" }
func (c Constant[T]) String() string { return strconv.FormatBool(*c.Chosen == c.Value) }

func (c Constant[T]) Set(text string) error {
	on, err := strconv.ParseBool(text)
	switch {
	case err != nil:
		return err
	case on:
		*c.Chosen = c.Value
	default:
		*c.Chosen = c.Otherwise
	}
	return nil
}

// A Toggle is switched on, or off by =false.
type Toggle bool

func (t *Toggle) IsBoolean()     {}
func (t *Toggle) Type() string   { return "bool" }
func (t *Toggle) String() string { return strconv.FormatBool(bool(*t)) }

func (t *Toggle) Set(text string) error {
	on, err := strconv.ParseBool(text)
	if err == nil {
		*t = Toggle(on)
	}
	return err
}

// A Rival is switched on, which switches another one off, or off by =false.
type Rival struct{ On, Other *bool }

func (r Rival) IsBoolean()     {}
func (r Rival) Type() string   { return "bool" }
func (r Rival) String() string { return strconv.FormatBool(*r.On) }

func (r Rival) Set(text string) error {
	err := (*Toggle)(r.On).Set(text)
	*r.Other = *r.Other && !*r.On
	return err
}

// Inverse returns a switch that turns another switch off.
func Inverse(of *bool) Constant[bool] { return Constant[bool]{Chosen: of, Otherwise: true} }

// A Number is one from 1 on.
type Number int64

func (n *Number) Type() string   { return "N" }
func (n *Number) String() string { return "" }

func (n *Number) Set(text string) error {
	v, err := strconv.ParseInt(text, 10, 64)
	if err != nil || v < 1 {
		return fmt.Errorf("%q is not a number from 1 on", text)
	}
	*n = Number(v)
	return nil
}

// A Word is any text.
type Word string

func (w *Word) Type() string          { return "string" }
func (w *Word) String() string        { return string(*w) }
func (w *Word) Set(text string) error { *w = Word(text); return nil }

// Words are the values of a flag that may be repeated.
type Words []string

func (w *Words) Type() string          { return "stringArray" } // by "Array" cobra knows that it may be repeated
func (w *Words) String() string        { return "" }
func (w *Words) Set(text string) error { *w = append(*w, text); return nil }

// A Choice is one of some words.
type Choice struct {
	Words []string
	Chose func(i int) // takes the index of a word
}

func (c *Choice) Type() string   { return strings.Join(c.Words, "|") }
func (c *Choice) String() string { return "" }

func (c *Choice) Set(text string) error {
	i := slices.Index(c.Words, text)
	switch {
	case i >= 0:
		c.Chose(i)
		return nil
	case len(c.Words) == 2:
		return fmt.Errorf("%q is neither %s nor %s", text, c.Words[0], c.Words[1])
	}
	return fmt.Errorf("%q is none of %s", text, strings.Join(c.Words, ", "))
}

// A Size is a number of bytes in rsync's syntax: 100, 1.5M, 10KB, 2GiB, 1G-1.
type Size struct {
	N     *int64
	Typed *bool
}

func (s *Size) Type() string   { return "SIZE" }
func (s *Size) String() string { return "" }

func (s *Size) Set(text string) error {
	n, err := ParseSize(text)
	if err == nil {
		*s.N, *s.Typed = n, true
	}
	return err
}

// ParseSize returns the number of bytes that a size stands for.
func ParseSize(text string) (int64, error) {
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

// Seconds is a time in seconds, optionally with decimals.
type Seconds time.Duration

func (s *Seconds) Type() string   { return "SECONDS" }
func (s *Seconds) String() string { return "" }

func (s *Seconds) Set(text string) error {
	n, err := strconv.ParseFloat(text, 64)
	if err != nil || !(n >= 0 && n <= 1e9) { // NaN fails both comparisons
		return fmt.Errorf("%q is not a number of seconds", text)
	}
	*s = Seconds(n * float64(time.Second))
	return nil
}

// A Tolerance is a number of seconds, or a number below zero, which stands for no tolerance at all.
type Tolerance time.Duration

func (t *Tolerance) Type() string   { return "SECONDS" }
func (t *Tolerance) String() string { return "" }

func (t *Tolerance) Set(text string) error {
	number, below := strings.CutPrefix(text, "-")
	if err := (*Seconds)(t).Set(number); err != nil {
		return fmt.Errorf("%q is not a number of seconds", text)
	}
	if below {
		*t = -*t
	}
	return nil
}

// A Period is a time in seconds, optionally with decimals, or one with units, such as 2m or 1h30m.
type Period struct {
	D     *time.Duration
	Typed *bool
}

func (p *Period) Type() string   { return "SECONDS" }
func (p *Period) String() string { return "" }

func (p *Period) Set(text string) error {
	var s Seconds
	d, err := time.ParseDuration(text)
	if s.Set(text) == nil {
		d, err = time.Duration(s), nil
	}
	if err != nil || d < 0 {
		return fmt.Errorf("%q is not a time; write for instance 90, 90s, 10m or 1h30m", text)
	}
	*p.D, *p.Typed = d, true
	return nil
}

// A Limit is a number of entries, or a percentage of the entries.
type Limit struct{ Limit **plan.Limit }

func (l *Limit) Type() string   { return "N" }
func (l *Limit) String() string { return "" }

func (l *Limit) Set(text string) error {
	number, percent := strings.CutSuffix(text, "%")
	n, err := strconv.ParseInt(number, 10, 64)
	if err != nil || n < 0 || percent && n > 100 {
		return fmt.Errorf("%q is neither a number of entries nor a percentage", text)
	}
	*l.Limit = &plan.Limit{N: n, Percent: percent}
	return nil
}
