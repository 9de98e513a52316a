package ui

import (
	"bytes"
	"strconv"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

func TestEscape(t *testing.T) {
	tests := []struct{ what, name, want string }{
		{"empty", "", ""},
		{"plain", "a/b c.txt", "a/b c.txt"},
		{"other scripts", "naïve/日本/🦫", "naïve/日本/🦫"},
		{"newline", "a\nb", `a\012b`},
		{"escape sequence", "\x1b[2Jx", `\033[2Jx`},
		{"delete", "a\x7f", `a\177`},
		{"backslash", `a\b`, `a\\b`},
		{"what looks escaped", `a\012b`, `a\\012b`},
		{"invalid UTF-8", "caf\xe9", `caf\351`},
		{"truncated UTF-8", "\xe6\x97", `\346\227`},
		{"C1 control", "a\u009bm", `a\302\233m`},
		{"bidi override", "gpj.\u202eexe", `gpj.\342\200\256exe`},
		{"bidi isolate", "\u2066x\u2069", `\342\201\246x\342\201\251`},
		{"replacement character", "a\uFFFDb", "a\uFFFDb"},
	}
	for _, test := range tests {
		if got := Escape(test.name); got != test.want {
			t.Errorf("%s: Escape(%q) = %s, want %s", test.what, test.name, got, test.want)
		}
	}
}

func TestEscapeOfSafeNamesAllocatesNothing(t *testing.T) {
	if n := testing.AllocsPerRun(100, func() { Escape("dir/naïve 日本.txt") }); n != 0 {
		t.Errorf("%v allocations, want 0", n)
	}
}

func FuzzEscape(f *testing.F) {
	for _, s := range []string{"", "a/b", "\n", `\`, `\012`, "\xff\xfe", "\u202e", "\u0085", "\uFFFD", "日\xe6"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, name string) {
		got := Escape(name)
		if !utf8.ValidString(got) {
			t.Errorf("Escape(%q) = %q is not valid UTF-8", name, got)
		}
		if strings.IndexFunc(got, unicode.IsControl) >= 0 || strings.ContainsAny(got, "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069") {
			t.Errorf("Escape(%q) = %q can steer a terminal", name, got)
		}
		if back := unescape(t, got); back != name {
			t.Errorf("Escape(%q) = %q stands for %q", name, got, back)
		}
		if b := appendEscaped([]byte("x"), name); !bytes.Equal(b, []byte("x"+got)) {
			t.Errorf("appendEscaped(x, %q) = %q, want x%s", name, b, got)
		}
	})
}

// unescape is the inverse of Escape.
func unescape(t *testing.T, s string) string {
	t.Helper()
	var b strings.Builder
	for {
		before, after, found := strings.Cut(s, `\`)
		b.WriteString(before)
		switch {
		case !found:
			return b.String()
		case strings.HasPrefix(after, `\`):
			b.WriteByte('\\')
			s = after[1:]
			continue
		case len(after) < 3:
			t.Fatalf("%q ends within an escape", s)
		}
		c, err := strconv.ParseUint(after[:3], 8, 8)
		if err != nil {
			t.Fatal(err)
		}
		b.WriteByte(byte(c))
		s = after[3:]
	}
}
