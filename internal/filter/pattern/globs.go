package pattern

import (
	"slices"

	"github.com/gobwas/glob"
)

// globs compares whole paths with the globs that a pattern with ** stands for.
type globs struct {
	any  []*glob.Pattern
	dirs []*glob.Pattern // for directories, in addition to any
}

// depth says where in a path a pattern may begin to match.
type depth int

const (
	root     depth = iota // at its start
	anyDepth              // at each element
	whole                 // at its start, with a slash before it
)

// newGlobs compiles a pattern with **. A pattern that ends in *** is compared with directories as if their
// paths ended in a slash.
func newGlobs(tokens []token, at depth, slashed bool) (matcher, error) {
	var m globs
	var err error
	if m.any, err = compileGlobs(tokens, at); err != nil {
		return nil, err
	}
	// The final stars either take that slash, or leave it to the token before them.
	if n := len(tokens) - 2; slashed && n >= 0 && tokens[n] == slash {
		if m.dirs, err = compileGlobs(tokens[:n], at); err != nil {
			return nil, err
		}
	}
	return &m, nil
}

// compileGlobs writes at into the globs, so that paths do not have to be copied.
func compileGlobs(tokens []token, at depth) ([]*glob.Pattern, error) {
	spelled := [][]token{tokens}
	switch {
	case at == anyDepth:
		spelled = append(spelled, slices.Concat([]token{{kind: stars}, slash}, tokens))
	case at == whole && len(tokens) > 1 && tokens[1] == slash:
		// The first stars match nothing, and the slash before the path is matched.
		spelled = append(spelled, tokens[2:])
	}
	var list []*glob.Pattern
	for _, s := range spelled {
		g, err := glob.Compile(quote(s), '/')
		if err != nil {
			return nil, err
		}
		list = append(list, g)
	}
	return list, nil
}

func (m *globs) match(path, _ string, isDir bool) bool {
	matches := func(g *glob.Pattern) bool { return g.Match(path) }
	return slices.ContainsFunc(m.any, matches) || isDir && slices.ContainsFunc(m.dirs, matches)
}

func (*globs) wide() bool { return true }
