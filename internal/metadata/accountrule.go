package metadata

import (
	"path"
	"strings"
)

// An AccountRule maps users, or groups, of the source, like a pair of rsync's --usermap or --groupmap.
type AccountRule struct {
	ByName    bool
	Pattern   string // of names, in the syntax of [path.Match]; "" matches accounts without a name
	Low, High uint32 // the range of numbers, unless the rule has a Pattern
	To        uint32 // the account in the destination
}

// Matches reports whether a rule applies to an account of the source. name is "" for an account without a
// name.
func (r AccountRule) Matches(id uint32, name string) bool {
	if !r.ByName {
		return r.Low <= id && id <= r.High
	}
	matched, _ := path.Match(maskSlashes(r.Pattern), maskSlashes(name)) // a malformed pattern matches nothing
	return matched
}

// maskSlashes hides slashes from [path.Match], where * does not match them: account names are not paths.
func maskSlashes(s string) string { return strings.ReplaceAll(s, "/", "\x00") }
