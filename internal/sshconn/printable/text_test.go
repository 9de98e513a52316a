package printable

import (
	"strings"
	"testing"
)

func TestText(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"plain \"text\" é\n", `plain "text" é`},
		{"two\r\nlines\x1b[31m\n", `two; lines?[31m`},
		{"three\nlines\n\u202eof text\r", "three; lines; ?of text"},
		{"\xff\xfe", "?"},
		{`back\slash`, `back\slash`}, // is escaped once, when it is shown
	} {
		if got := Text(c.text); got != c.want {
			t.Errorf("%q: got %s, want %s", c.text, got, c.want)
		}
	}
	if got := Text(strings.Repeat("x", 10*MaxLength)); len(got) != MaxLength {
		t.Errorf("got %d bytes", len(got))
	}
}
