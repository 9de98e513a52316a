package pattern

import "strings"

// token is one step of a pattern with wildcards.
type token struct {
	kind kind
	byte byte // for literal
	set  set  // for class
}

type kind uint8

const (
	literal kind = iota
	one          // ?
	star         // *
	stars        // ** and longer
	class        // [...]
)

var slash = token{byte: '/'}

// scan cuts text into tokens. Text without wildcards has only literals, including its backslashes. ok is false
// for malformed text, which matches nothing: the text ends within brackets or after a backslash.
func scan(text string) (tokens []token, ok bool) {
	wild := strings.ContainsAny(text, "*?[")
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case wild && c == '\\':
			if i++; i == len(text) {
				return nil, false
			}
			tokens = append(tokens, token{byte: text[i]})
		case c == '?':
			tokens = append(tokens, token{kind: one})
		case c == '*':
			t := token{kind: star}
			for i+1 < len(text) && text[i+1] == '*' {
				t.kind = stars
				i++
			}
			tokens = append(tokens, t)
		case c == '[':
			set, n := scanClass(text[i:])
			if n == 0 {
				return nil, false
			}
			tokens = append(tokens, token{kind: class, set: set})
			i += n - 1
		default:
			tokens = append(tokens, token{byte: c})
		}
	}
	return tokens, true
}
