package filter

import (
	"regexp"
	"strings"
)

// Rules are compiled filter rules. A nil *Rules hides and protects nothing.
// Rules do not change and may be used by any number of goroutines.
//
// Paths are relative to the transfer root and have slashes between their elements, but no leading or trailing
// slashes. The root itself, "", is never hidden or protected.
type Rules struct {
	hide    ruleset
	protect ruleset
}

// Hidden reports whether the sending side leaves an entry out. Entries below a hidden directory do not take
// part.
func (r *Rules) Hidden(path string, isDir bool) bool {
	return r != nil && r.hide.excludes(path, isDir)
}

// Protected reports whether the receiving side keeps an entry that the sending side lacks. All entries below a
// protected directory stay as well.
func (r *Rules) Protected(path string, isDir bool) bool {
	return r != nil && r.protect.excludes(path, isDir)
}

type side uint8

const (
	sending side = 1 << iota
	receiving
)

// rule is one line of a filter.
type rule struct {
	pattern
	expr    *regexp.Regexp // instead of pattern
	side    side           // 0 if the rule does not say
	include bool
	negate  bool
}

// ruleset holds the rules of one side.
type ruleset struct {
	rules []rule
	wide  bool // one of the rules needs wide paths
}

func (s *ruleset) add(r rule) {
	s.rules = append(s.rules, r)
	s.wide = s.wide || r.expr == nil && r.wide()
}

func (s *ruleset) excludes(path string, isDir bool) bool {
	if path == "" || len(s.rules) == 0 {
		return false
	}
	name := path
	if s.wide {
		name = wide(path)
	}
	base := name[strings.LastIndexByte(name, '/')+1:]
	for i := range s.rules {
		r := &s.rules[i]
		var found bool
		switch {
		case r.expr != nil:
			found = r.expr.MatchString(path)
		case r.dirOnly && !isDir:
		default:
			found = r.match(name, base, isDir)
		}
		if found != r.negate {
			return !r.include
		}
	}
	return false
}
