package metadata

import (
	"path"
	"strings"
)

// An AccountRule replaces users, or groups, of the source, as a pair of rsync's --usermap or --groupmap does.
type AccountRule struct {
	ByName    bool
	Pattern   string // of names, in the syntax of [path.Match]; "" matches accounts without a name
	Low, High uint32 // numbers, unless the rule goes by name
	To        uint32 // the account of the destination
}

// Matches reports whether a rule is about an account of the source, which has no name if that is empty.
func (r AccountRule) Matches(id uint32, name string) bool {
	if !r.ByName {
		return r.Low <= id && id <= r.High
	}
	matched, _ := path.Match(maskSlashes(r.Pattern), maskSlashes(name)) // a wrong pattern matches nothing
	return matched
}

// maskSlashes hides slashes from [path.Match], where * does not match them: names of accounts are no paths.
func maskSlashes(s string) string { return strings.ReplaceAll(s, "/", "\x00") }
