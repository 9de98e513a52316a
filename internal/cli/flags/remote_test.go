package flags

import (
	"slices"
	"testing"
)

func TestWordsOfACommand(t *testing.T) {
	for _, tt := range []struct {
		command string
		want    []string // nil: refused
	}{
		{"ssh", []string{"ssh"}},
		{" ssh  -p 22\t-v ", []string{"ssh", "-p", "22", "-v"}},
		{`ssh -o "ProxyCommand nc %h %p"`, []string{"ssh", "-o", "ProxyCommand nc %h %p"}},
		{`ssh -i '/a b/id'`, []string{"ssh", "-i", "/a b/id"}},
		{`ssh -oUser=' "x" 'y`, []string{"ssh", `-oUser= "x" y`}},
		{`ssh 'it''s' "a""b"`, []string{"ssh", "it's", `a"b`}},
		{`ssh '' x`, []string{"ssh", "", "x"}},
		{`ssh a\ b`, []string{"ssh", `a\`, "b"}},
		{`ssh 'x`, nil},
		{`ssh "x'`, nil},
	} {
		got, err := Remote{Command: tt.command}.Words()
		if !slices.Equal(got, tt.want) || (err == nil) != (tt.want != nil) {
			t.Errorf("%s: got %q, %v; want %q", tt.command, got, err, tt.want)
		}
	}
}
