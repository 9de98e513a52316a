package filter_test

import (
	"strings"
	"testing"

	"psync/internal/filter"
)

// TestUnmatched checks which rules have matched nothing when all of a, b.o and dir/ have been looked at, on both sides.
func TestUnmatched(t *testing.T) {
	const entries = "a b.o dir/"
	for _, c := range []struct{ options, want string }{
		{"exclude a; exclude *.o; exclude dir/", ""},
		{"exclude c; include x", "exclude c; include x"},
		{"exclude a/; exclude dir/", "exclude a/"},
		{"include a; exclude *; exclude b.o", "exclude b.o"}, // as another rule comes first
		{"exclude c; exclude c", "exclude c"},
		{"exclude a; exclude a; include a", "include a"},
		{"filter - *.o; filter -! a; filter P c; filter H c", "filter P c; filter H c"},
		{"filter P a; filter R b.o; filter S dir/", ""},
		{"exclude-regex ^a$; exclude-regex c; include-regex r", "exclude-regex c"},
		{"exclude - a; exclude + c", "exclude + c"},
		{"exclude c; exclude !; exclude a", ""}, // it is forgotten
		{"exclude-from list; filter . list; filter -C; filter : .rules; filter :e .rules", ""},
	} {
		b := filter.Builder{Open: files(map[string]string{"list": "- none\n- none-either\n"})}
		if err := parse(&b, c.options); err != nil {
			t.Fatal(err)
		}
		rules := b.Rules(false)
		in, err := rules.In("", files(map[string]string{".rules": "- no-file\n"}))
		if err != nil {
			t.Fatal(err)
		}
		for entry := range strings.FieldsSeq(entries) {
			name, isDir := strings.CutSuffix(entry, "/")
			in.Hidden(name, isDir)
			in.Protected(name, isDir)
		}
		var got []string
		for _, rule := range rules.Unmatched() {
			got = append(got, rule.Option+" "+rule.Value)
		}
		if strings.Join(got, "; ") != c.want {
			t.Errorf("%s: %q, want %q", c.options, got, c.want)
		}
	}
}
