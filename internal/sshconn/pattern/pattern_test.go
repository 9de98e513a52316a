package pattern

import (
	"strings"
	"testing"
)

func TestMatches(t *testing.T) {
	for _, c := range []struct {
		pattern, name string
		want          bool
	}{
		{"", "", true},
		{"", "a", false},
		{"*", "", true},
		{"?", "", false},
		{"a*", "a", true},
		{"*a*b", "xaab", true},
		{"*a*b", "xaabc", false},
		{"a?c", "abc", true},
		{"[a]:*", "[a]:2", true},
		{strings.Repeat("*a", 40), strings.Repeat("a", 200) + "b", false},
	} {
		if got := matches(c.pattern, c.name); got != c.want {
			t.Errorf("%q, %q: got %v", c.pattern, c.name, got)
		}
	}
}
