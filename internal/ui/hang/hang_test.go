package hang

import (
	"strings"
	"testing"
)

func TestDescribe(t *testing.T) {
	for _, c := range []struct{ paths, want string }{
		{"", "a call of the system has not returned yet"},
		{"src/a", "1 call of the system has not returned yet, at src/a"},
		{"src/b src/a", "2 calls of the system have not returned yet, at src/a, src/b"},
		{"src/big src/big", "2 calls of the system have not returned yet, at src/big"},
		{"s/1 s/2 s/3 s/4 s/5", "5 calls of the system have not returned yet, at s/1, s/2, s/3 and 2 more"},
		{"s/\x1b[2J", `1 call of the system has not returned yet, at s/\033[2J`},
	} {
		if got := Describe(strings.Fields(c.paths)); got != c.want {
			t.Errorf("got %s, want %s", got, c.want)
		}
	}
}
