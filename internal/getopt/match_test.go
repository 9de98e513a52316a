package getopt

import "testing"

func TestMatch(t *testing.T) {
	words := []Word[string]{
		{"none", "off"},
		{"nought", "off"},
		{"simple", "simple"},
		{"never", "simple"},
		{"numbered", "numbered"},
		{"numb", "off"},
	}
	const valid = "\nValid arguments are:\n  - <none>, <nought>\n  - <simple>, <never>\n  - <numbered>\n  - <numb>"
	quote := func(s string) string { return "<" + s + ">" }
	for _, tt := range []struct{ arg, want, err string }{
		{arg: "simple", want: "simple"},
		{arg: "s", want: "simple"},
		{arg: "none", want: "off"},
		{arg: "no", want: "off"},
		{arg: "numb", want: "off"},
		{arg: "numbe", want: "numbered"},
		{arg: "nu", err: "ambiguous argument <nu> for <backup type>" + valid},
		{arg: "", err: "ambiguous argument <> for <backup type>" + valid},
		{arg: "nonesuch", err: "invalid argument <nonesuch> for <backup type>" + valid},
		{arg: "None", err: "invalid argument <None> for <backup type>" + valid},
	} {
		got, err := Match(tt.arg, "backup type", words, quote)
		if got != tt.want || message(t, err) != tt.err {
			t.Errorf("%q: got %q, error %v; want %q, error %s", tt.arg, got, err, tt.want, tt.err)
		}
	}
}
