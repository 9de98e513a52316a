package flags

import (
	"errors"
	"fmt"
	"math"
	"path"
	"strconv"
	"strings"

	"psync/internal/metadata"
)

// An accountMap holds the FROM:TO pairs of --usermap or --groupmap, in rsync's syntax.
type accountMap struct {
	typed bool
	rules []metadata.AccountRule
	names []string // of the accounts that the rules lead to and that are yet to be looked up; "" for numbers
}

// set parses the pairs, and adds a setting of what they imply.
func (m *accountMap) set(text string, implies attrs, settings *[]setting) error {
	if m.typed {
		return errors.New("is given twice; write all pairs in one, with commas between them")
	}
	m.typed = true
	for pair := range strings.SplitSeq(text, ",") {
		from, to, found := strings.Cut(pair, ":")
		if !found || to == "" {
			return fmt.Errorf("%q is not a pair FROM:TO", pair)
		}
		rule, err := parseAccountRule(from)
		if err != nil {
			return err
		}
		id, name, err := accountID(to)
		if err != nil {
			return err
		}
		rule.To = id
		m.rules, m.names = append(m.rules, rule), append(m.names, name)
	}
	*settings = append(*settings, setting{sets: implies, on: true, asked: true})
	return nil
}

// parseAccountRule returns a rule about the accounts that from stands for: a number, a range of numbers, a name, or
// a pattern of names.
func parseAccountRule(from string) (r metadata.AccountRule, err error) {
	if from == "" || from[0] < '0' || from[0] > '9' {
		// rsync negates classes by ! as well. What path.Match has no words for is refused.
		r = metadata.AccountRule{ByName: true, Pattern: strings.ReplaceAll(from, "[!", "[^")}
		_, err = path.Match(r.Pattern, "")
		if err != nil || strings.Contains(from, "[:") {
			err = fmt.Errorf("%q is not a pattern of names; it may have *, ? and [a-z]", from)
		}
		return r, err
	}
	low, high, isRange := strings.Cut(from, "-")
	if r.Low, err = parseID(low); err == nil {
		r.High = r.Low
		if isRange {
			r.High, err = parseID(high)
		}
	}
	if err == nil && r.High < r.Low {
		err = strconv.ErrRange
	}
	if err != nil {
		return r, fmt.Errorf("%q is neither a number, nor a range LOW-HIGH, nor a name", from)
	}
	return r, nil
}

// parseID returns a number of a user or group.
func parseID(text string) (uint32, error) {
	number, err := strconv.ParseUint(text, 10, 32)
	if err == nil && number == math.MaxUint32 { // for chown(2), this number means no change
		err = strconv.ErrRange
	}
	return uint32(number), err
}

// goesByName reports whether a rule matches names, which the source then has to provide.
func (m *accountMap) goesByName() bool {
	for _, r := range m.rules {
		if r.ByName && r.Pattern != "*" {
			return true
		}
	}
	return false
}
