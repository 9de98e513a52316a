package filter

import (
	"regexp"
	"strings"

	"psync/internal/filter/pattern"
)

// Rules are compiled filter rules. A nil *Rules hides and protects nothing.
// Rules do not change and may be used by any number of goroutines.
//
// Paths are relative to the transfer root and have slashes between their elements, but no leading or trailing
// slashes. The root itself, "", is never hidden or protected.
type Rules struct {
	rules []*rule // those of the command line
	files []*mergeRule
	lists map[*mergeRule][]*rule // the rules in force that were read from files in directories

	deleteExcluded bool
	user           *Builder // of the rules of the command line
	removed        bool     // perishable rules protect nothing

	root    string // the absolute path of the transfer root, without the leading slash
	hide    ruleset
	protect ruleset
	xattrs  struct{ hide, protect ruleset } // for names of extended attributes
}

// Hidden reports whether the sending side leaves an entry out. Entries below a hidden directory do not take
// part.
func (r *Rules) Hidden(path string, isDir bool) bool {
	return r != nil && r.hide.excludes(r.root, path, isDir)
}

// Protected reports whether the receiving side keeps an entry that the sending side lacks. All entries below a
// protected directory stay as well.
func (r *Rules) Protected(path string, isDir bool) bool {
	return r != nil && r.protect.excludes(r.root, path, isDir)
}

type side uint8

const (
	sending side = 1 << iota
	receiving
)

// rule is one line of a filter.
type rule struct {
	pattern pattern.Pattern
	expr    *regexp.Regexp // instead of pattern
	file    *mergeRule     // the rules in it take the place of this one
	at      *place         // of the file with the rule, if that is in a directory and the pattern begins with a slash
	typed   *typed         // nil if the rule does not come from an option
	text    string         // of the pattern, as typed; "" if the rule does not come from an option
	side    side           // 0 if the rule does not say
	include bool
	negate  bool

	rooted     bool // the pattern begins with a slash
	perishable bool // does not keep a directory that is removed from being empty
	absolute   bool // compares the pattern with the absolute path
	xattr      bool // is about extended attributes
}

// arrange sorts the rules in force by the sides that they act on.
func (r *Rules) arrange() {
	r.hide, r.protect, r.xattrs.hide, r.xattrs.protect = ruleset{}, ruleset{}, ruleset{}, ruleset{}
	r.arrangeList(r.rules)
}

func (r *Rules) arrangeList(rules []*rule) {
	for _, rule := range rules {
		if rule.file != nil {
			r.arrangeList(r.lists[rule.file])
			continue
		}
		side := rule.side
		switch {
		case side == 0 && r.deleteExcluded:
			side = sending
		case side == 0:
			side = sending | receiving
		}
		hide, protect := &r.hide, &r.protect
		if rule.xattr {
			hide, protect = &r.xattrs.hide, &r.xattrs.protect
		}
		if side&sending != 0 {
			hide.add(rule)
		}
		if side&receiving != 0 && !(r.removed && rule.perishable) {
			protect.add(rule)
		}
	}
}

// ruleset holds the rules of one side.
type ruleset struct {
	rules []*rule
	wide  bool // one of the rules needs wide paths
}

func (s *ruleset) add(r *rule) {
	s.rules = append(s.rules, r)
	s.wide = s.wide || r.expr == nil && r.pattern.NeedsWide()
}

// A Match is the rule that decides about a path.
type Match struct {
	Pattern string // as typed; "" if it comes from a file
	Include bool
}

// HideRule returns the rule that decides whether the sending side leaves an entry out, if one does.
func (r *Rules) HideRule(path string, isDir bool) (m Match, found bool) {
	return r.hide.match(r.root, path, isDir)
}

// ProtectRule returns the rule that decides whether the receiving side keeps an entry that the sending side lacks, if one does.
func (r *Rules) ProtectRule(path string, isDir bool) (m Match, found bool) {
	return r.protect.match(r.root, path, isDir)
}

func (s *ruleset) match(root, path string, isDir bool) (m Match, found bool) {
	rule := s.find(root, path, isDir)
	if rule == nil {
		return m, false
	}
	return Match{Pattern: rule.text, Include: rule.include}, true
}

func (s *ruleset) excludes(root, path string, isDir bool) bool {
	r := s.find(root, path, isDir)
	return r != nil && !r.include
}

// find returns the first rule that matches a path, or nil.
func (s *ruleset) find(root, path string, isDir bool) *rule {
	if path == "" || len(s.rules) == 0 {
		return nil
	}
	name := path
	if s.wide {
		name = pattern.Wide(path)
	}
	base := name[strings.LastIndexByte(name, '/')+1:]
	for _, r := range s.rules {
		var found bool
		switch {
		case r.expr != nil:
			found = r.expr.MatchString(path)
		case r.absolute || r.at != nil && r.at.absolute:
			found = r.pattern.Match(r.below(join(root, path)), isDir)
		case r.at != nil:
			found = r.pattern.Match(r.below(path), isDir)
		default:
			found = r.pattern.MatchWide(name, base, isDir)
		}
		if found != r.negate {
			r.typed.match()
			return r
		}
	}
	return nil
}

// below returns the part of a path that the pattern is compared with. The rule is only in force where the path begins with
// the directory of its file.
func (r *rule) below(path string) string {
	if r.at == nil {
		return path
	}
	return strings.TrimPrefix(strings.TrimPrefix(path, r.at.base), "/")
}

func join(dir, name string) string {
	if dir == "" {
		return name
	}
	return dir + "/" + name
}

func lastElement(path string) string { return path[strings.LastIndexByte(path, '/')+1:] }
