package pattern

import (
	"slices"
	"strings"

	"github.com/gobwas/glob"
)

// quote writes tokens in the syntax of the glob library.
func quote(tokens []token) string {
	var b strings.Builder
	for _, t := range tokens {
		switch t.kind {
		case literal:
			b.WriteString(glob.QuoteMeta(string(rune(t.byte))))
		case one:
			b.WriteByte('?')
		case star:
			b.WriteByte('*')
		case stars:
			b.WriteString("**")
		case class:
			quoteClass(&b, &t.set)
		}
	}
	return b.String()
}

// quoteClass writes a class as a list of its members, or as a negated list of the other bytes if they are
// fewer. The library cannot mix ranges and lists.
func quoteClass(b *strings.Builder, s *set) {
	list := s.members(true)
	switch n := len(list); {
	case n == 1:
		b.WriteString(glob.QuoteMeta(string(rune(list[0]))))
		return
	case n > 2 && letterOrDigit(list[0]) && int(list[n-1]-list[0]) == n-1:
		b.WriteString("[" + string(rune(list[0])) + "-" + string(rune(list[n-1])) + "]")
		return
	case n > 128:
		b.WriteString("[!")
		list = s.members(false)
	default:
		b.WriteByte('[')
	}
	// A "-" is literal unless it is second, and a backslash would be first.
	if i := slices.Index(list, '-'); i >= 0 {
		list = append(slices.Delete(list, i, i+1), '-')
	}
	for _, c := range list {
		b.WriteString(`\` + string(rune(c)))
	}
	b.WriteByte(']')
}

func letterOrDigit(c byte) bool { return letter(c) || digit(c) }
