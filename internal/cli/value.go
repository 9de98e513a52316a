package cli

import (
	"fmt"
	"io/fs"
	"math"
	"strconv"
	"strings"
	"time"

	"psync/internal/engine"
	"psync/internal/metadata"
)

// A size is a number of bytes, as rsync understands it: 100, 1.5M, 10KB, 2GiB, 1G-1.
type size struct {
	n   int64
	set bool
}

func (s *size) Type() string { return "SIZE" }

func (s *size) String() string {
	if !s.set {
		return ""
	}
	return strconv.FormatInt(s.n, 10)
}

func (s *size) Set(text string) error {
	n, err := parseSize(text)
	if err == nil {
		s.n, s.set = n, true
	}
	return err
}

func parseSize(text string) (int64, error) {
	bad := fmt.Errorf("%q is no size; write for instance 1000, 1.5M, 10KB or 2GiB", text)
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
		return 0, bad // of which some have ASCII letters as their upper case
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

// seconds is a time in seconds, with decimals if need be.
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
	if err != nil || !(n >= 0 && n <= 1e9) { // NaN is neither
		return fmt.Errorf("%q is no number of seconds", text)
	}
	*s = seconds(n * float64(time.Second))
	return nil
}

// A limit is a number of entries, or a share of them.
type limit struct{ *engine.Limit }

func (l *limit) Type() string { return "N" }

func (l *limit) String() string {
	if l.Limit == nil {
		return ""
	}
	s := strconv.FormatInt(l.N, 10)
	if l.Percent {
		s += "%"
	}
	return s
}

func (l *limit) Set(text string) error {
	number, percent := strings.CutSuffix(text, "%")
	n, err := strconv.ParseInt(number, 10, 64)
	if err != nil || n < 0 || percent && n > 100 {
		return fmt.Errorf("%q is neither a number of entries nor a percentage", text)
	}
	l.Limit = &engine.Limit{N: n, Percent: percent}
	return nil
}

// chmodSpecs are changes of modes, as typed. They are compiled when the umask is known.
type chmodSpecs []string

func (c *chmodSpecs) Type() string   { return "SPEC" }
func (c *chmodSpecs) String() string { return "" }

func (c *chmodSpecs) Set(text string) error {
	_, err := metadata.ParseChmod(text, 0)
	if err == nil {
		*c = append(*c, text)
	}
	return err
}

// under returns what the changes are for a user with that umask.
func (c chmodSpecs) under(umask fs.FileMode) (all metadata.Chmod) {
	for _, spec := range c {
		changes, _ := metadata.ParseChmod(spec, umask) // Set has checked it
		all = append(all, changes...)
	}
	return all
}

// dataless says whether files are fetched that are elsewhere.
type dataless bool

func (d *dataless) Type() string   { return "skip|fetch" }
func (d *dataless) String() string { return "" }

func (d *dataless) Set(text string) error {
	switch text {
	case "skip", "fetch":
		*d = text == "fetch"
		return nil
	}
	return fmt.Errorf("%q is neither skip nor fetch", text)
}
