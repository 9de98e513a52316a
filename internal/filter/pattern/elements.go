package pattern

import (
	"slices"
	"strings"

	"github.com/gobwas/glob"
)

// elements compares the last elements of a path, or all its elements, one by one.
type elements struct {
	list     []element
	anchored bool // the path has no other elements
}

func newElements(tokens []token, anchored bool) (matcher, error) {
	m := elements{anchored: anchored}
	for {
		n := slices.Index(tokens, slash)
		last := n < 0
		if last {
			n = len(tokens)
		}
		e, err := newElement(tokens[:n])
		if err != nil {
			return nil, err
		}
		m.list = append(m.list, e)
		if last {
			return &m, nil
		}
		tokens = tokens[n+1:]
	}
}

func (m *elements) match(path, base string, _ bool) bool {
	last := len(m.list) - 1
	if !m.list[last].match(base) {
		return false
	}
	path = path[:len(path)-len(base)]
	for i := last - 1; i >= 0; i-- {
		if path == "" {
			return false
		}
		path = path[:len(path)-1]
		n := strings.LastIndexByte(path, '/') + 1
		if !m.list[i].match(path[n:]) {
			return false
		}
		path = path[:n]
	}
	return path == "" || !m.anchored
}

func (m *elements) wide() bool {
	return slices.ContainsFunc(m.list, element.wide)
}

// element is the pattern of one path element.
type element struct {
	how  how
	text string
	glob *glob.Pattern
}

type how uint8

const (
	equal   how = iota
	prefix      // text*
	suffix      // *text
	matched     // by glob
)

func newElement(tokens []token) (e element, err error) {
	n := len(tokens)
	switch {
	case literals(tokens):
		return element{equal, text(tokens), nil}, nil
	case tokens[0].kind == star && literals(tokens[1:]):
		return element{suffix, text(tokens[1:]), nil}, nil
	case tokens[n-1].kind == star && literals(tokens[:n-1]):
		return element{prefix, text(tokens[:n-1]), nil}, nil
	}
	// An element contains no slashes, so no separators are needed. Without separators, the library is faster when
	// it has several stars to try. The text before the wildcards distinguishes most names without the library.
	wild := slices.IndexFunc(tokens, func(t token) bool { return t.kind != literal })
	e.how, e.text = matched, text(tokens[:wild])
	e.glob, err = glob.Compile(quote(tokens))
	return e, err
}

func (e *element) match(name string) bool {
	switch e.how {
	case equal:
		return name == e.text
	case prefix:
		return strings.HasPrefix(name, e.text)
	case suffix:
		return strings.HasSuffix(name, e.text)
	default:
		return strings.HasPrefix(name, e.text) && e.glob.Match(name)
	}
}

func (e element) wide() bool {
	return e.how == matched || !ascii(e.text)
}

func literals(tokens []token) bool {
	return !slices.ContainsFunc(tokens, func(t token) bool { return t.kind != literal })
}

// text returns literal tokens as they appear in wide paths.
func text(tokens []token) string {
	b := make([]byte, len(tokens))
	for i, t := range tokens {
		b[i] = t.byte
	}
	return Wide(string(b))
}
