package filter

import (
	"slices"
	"strings"
)

// pattern is the pattern of a rule.
type pattern struct {
	matcher
	dirOnly bool // the pattern ended in a slash
}

// matcher compares an entry with a pattern. The path and its last element,
// base, are as [wide] returns them if the matcher asks for it by wide.
type matcher interface {
	match(path, base string, isDir bool) bool
	wide() bool
}

// compile compiles a pattern. An error means that the glob library refused the glob made from the pattern,
// which has not happened in tests.
func compile(text string) (pattern, error) {
	var p pattern
	if len(text) > 1 {
		text, p.dirOnly = strings.CutSuffix(text, "/")
	}
	var err error
	p.matcher, err = compileMatcher(text)
	return p, err
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
