// Package pattern matches paths against the patterns of rsync's rules.
//
// A pattern is compared with the end of a path, element by element:
//
//	foo        every entry named foo
//	foo/       every directory named foo
//	/foo       foo in the transfer root, nowhere else
//	a/foo      foo in any directory named a
//	*.o  f?o   * stands for any bytes but a slash, ? for one of them
//	[a-c] [!x] one byte of a set, or outside of it; POSIX classes as [[:digit:]]
//	a/**       everything below any directory named a; ** crosses slashes
//	a/***      the same, and the directory itself
//	**/foo     foo anywhere, the transfer root included
//	/a/**/foo  foo two or more levels below the top-level directory a
//
// A backslash makes the next byte literal, but only in a pattern that has a wildcard; in all other patterns it
// is an ordinary backslash. A pattern that rsync cannot parse, such as an unclosed bracket, matches nothing, as
// in rsync. Braces have no special meaning. Names are bytes: ? matches half of a two-byte letter. POSIX classes
// contain only ASCII, whatever the locale.
//
// # How it is fast
//
// Patterns are compared with every entry of a tree, so a pattern is split into elements when it is compiled. Names,
// prefixes and suffixes are compared as strings; other elements, and patterns with **, are matched by
// gobwas/glob. That library matches runes: bytes beyond ASCII are passed to it as the runes of the same number,
// in both pattern and path, so that each rune stands for one byte.
package pattern

import (
	"slices"
	"strings"
)

// A Pattern is a compiled pattern. The zero value is not valid.
type Pattern struct {
	matcher matcher
	dirOnly bool // the pattern ended in a slash
}

// matcher compares an entry with a pattern. The path and its last element,
// base, are as [Wide] returns them if the matcher asks for it by wide.
type matcher interface {
	match(path, base string, isDir bool) bool
	wide() bool
}

// Compile compiles a pattern. An error means that the glob library refused the glob made from the pattern,
// which has not happened in tests.
func Compile(text string) (Pattern, error) {
	var p Pattern
	if len(text) > 1 {
		text, p.dirOnly = strings.CutSuffix(text, "/")
	}
	var err error
	p.matcher, err = compileMatcher(text)
	return p, err
}

// NeedsWide reports whether [Pattern.MatchWide] needs paths as [Wide] returns them.
func (p Pattern) NeedsWide() bool { return p.matcher.wide() }

// Match reports whether the pattern matches an entry.
func (p Pattern) Match(path string, isDir bool) bool {
	if p.matcher.wide() {
		path = Wide(path)
	}
	return p.MatchWide(path, path[strings.LastIndexByte(path, '/')+1:], isDir)
}

// MatchWide is Match for callers that compare a path with many patterns: path is as [Wide] returns it if one of them
// needs that, and base is its last element.
func (p Pattern) MatchWide(path, base string, isDir bool) bool {
	return (isDir || !p.dirOnly) && p.matcher.match(path, base, isDir)
}

// compileMatcher chooses the matcher. A pattern without ** has a fixed number of elements, which are compared
// one by one. The same holds for a pattern that begins with "**/" and has no other **: those stars mean "at any
// depth", as does a pattern that is not anchored.
func compileMatcher(text string) (matcher, error) {
	rest, anchored := strings.CutPrefix(text, "/")
	tokens, ok := scan(rest)
	if !ok || slices.ContainsFunc(tokens, token.never) {
		return never{}, nil
	}
	if !slices.ContainsFunc(tokens, token.crosses) {
		if !anchored && slashInClass(text, tokens) {
			return never{}, nil
		}
		return newElements(tokens, anchored)
	}
	if strings.HasPrefix(text, "**") {
		if len(tokens) > 1 && tokens[1] == slash && !slices.ContainsFunc(tokens[1:], token.crosses) {
			return newElements(tokens[2:], false)
		}
		return newGlobs(tokens, whole, strings.HasSuffix(text, "***"))
	}
	depth := anyDepth
	if anchored {
		depth = root
	}
	return newGlobs(tokens, depth, strings.HasSuffix(text, "***"))
}

// slashInClass finds patterns such as "a[b/]c". Their slashes make rsync compare
// more elements than the pattern can match, so they match nothing;
// with ** it does not count elements.
func slashInClass(text string, tokens []token) bool {
	n := 0
	for _, t := range tokens {
		if t == slash {
			n++
		}
	}
	return strings.Count(text, "/") != n && !strings.Contains(text, "**")
}

func (t token) crosses() bool { return t.kind == stars }
func (t token) never() bool   { return t.kind == class && t.set == set{} }

// never is the matcher of patterns that are malformed.
type never struct{}

func (never) match(string, string, bool) bool { return false }
func (never) wide() bool                      { return false }
