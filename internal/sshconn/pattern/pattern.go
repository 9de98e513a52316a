// Package pattern matches names of hosts against the patterns of OpenSSH.
package pattern

import "strings"

// MatchAny reports whether a name matches one of the patterns, and none of those that begin with an exclamation mark.
func MatchAny(patterns []string, name string) bool {
	found := false
	for _, p := range patterns {
		p, negated := strings.CutPrefix(p, "!")
		if !matches(p, name) {
			continue
		}
		if negated {
			return false
		}
		found = true
	}
	return found
}

// matches reports whether a name matches a pattern, where * and ? match any characters, including brackets and
// colons.
func matches(pattern, name string) bool {
	// If the rest does not match, the last star takes one more character.
	star, next := -1, 0
	p, n := 0, 0
	for n < len(name) {
		switch {
		case p < len(pattern) && pattern[p] == '*':
			star, next = p, n
			p++
		case p < len(pattern) && (pattern[p] == '?' || pattern[p] == name[n]):
			p, n = p+1, n+1
		case star >= 0:
			next++
			p, n = star+1, next
		default:
			return false
		}
	}
	return strings.Trim(pattern[p:], "*") == ""
}
