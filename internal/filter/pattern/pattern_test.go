package pattern_test

import (
	"strings"
	"testing"

	"psync/internal/filter/pattern"
)

// TestPatterns has lines of a pattern, the paths that it matches, and paths that it does not match. A path that
// ends in a slash is a directory.
func TestPatterns(t *testing.T) {
	for _, c := range []struct {
		pattern, matches, not string
	}{
		// A name, anywhere.
		{"foo", "foo foo/ a/foo a/b/foo", "foobar barfoo foo/a Foo"},
		{"foo/", "foo/ a/foo/", "foo a/foo"},
		{"/foo", "foo foo/", "a/foo"},
		{"/foo/", "foo/", "foo a/foo/"},

		// With a slash, the tail of the path, at element boundaries.
		{"foo/bar", "foo/bar x/foo/bar", "xfoo/bar foo/barx bar foo/x/bar"},
		{"/foo/bar", "foo/bar", "x/foo/bar"},
		{"foo/bar/", "foo/bar/ x/foo/bar/", "foo/bar"},
		{"/", "", "a a/ a/b"},
		{"a//b", "", "a/b"},
		{"foo//", "", "foo foo/"},

		// Wildcards stop at slashes.
		{"*.o", "a.o .o x/a.o a.o/", "a.oo ao a.o/x"},
		{"foo*", "foo foobar a/foobar", "afoo"},
		{"f*o", "fo foo fxo a/fo", "f of fo/a"},
		{"f?o", "foo a/f-o", "fo f/o"},
		{"*", "a a/ a/b .x", ""},
		{"*/", "a/ a/b/", "a"},
		{"/*", "a a/", "a/b"},
		{"*/foo", "a/foo a/b/foo", "foo"},
		{"/*/foo", "a/foo", "foo a/b/foo"},
		{"foo/*", "foo/a x/foo/a", "foo foo/ foo/a/b"},
		{"/a*/b", "a/b ab/b", "x/a/b a/x/b"},
		{"foo/*/bar", "foo/x/bar y/foo/x/bar", "foo/bar foo/x/y/bar"},

		// Two stars cross slashes; the slashes beside them are needed.
		{"**", "a a/ a/b", ""},
		{"foo**bar", "foobar fooxbar foo/x/bar a/foobar x/foo/bar", "foo bar foo/b"},
		{"a/**/b", "a/x/b a/x/y/b z/a/x/b", "a/b"},
		{"/foo/**/bar", "foo/x/bar foo/x/y/bar", "foo/bar x/foo/y/bar"},
		{"foo/**", "foo/a foo/a/b x/foo/a foo/a/", "foo foo/"},
		{"/foo/**", "foo/a foo/a/b", "foo/ x/foo/a"},
		{"a**", "a ab a/b x/ab x/a/b", "ba b/ca"},
		{"**a", "a ba b/a b/ca", "ab"},
		{"**/", "a/ a/b/", "a a/b"},

		// Two stars and a slash at the start mean any depth, 0 included.
		{"**/foo", "foo a/foo a/b/foo", "xfoo foo/x"},
		{"**/._*", "._x a/._x a/b/._", "x._ a._x"},
		{"**/a/b", "a/b x/a/b", "xa/b"},
		{"**/a/**", "a/b x/a/b x/a/b/c", "a a/ xa/b"},
		{".fcpcache/**", ".fcpcache/a .fcpcache/a/b x/.fcpcache/a", ".fcpcache/ .fcpcache"},
		{"/**/foo", "a/foo a/b/foo", "foo"},

		// Three stars at the end add the directory.
		{"dir/***", "dir/ dir/a dir/a/b x/dir/ x/dir/a", "dir x/dir xdir/"},
		{"/dir/***", "dir/ dir/a", "dir x/dir/"},
		{"**/dir/***", "dir/ x/dir/ dir/a", "dir"},
		{"dir***", "dir dir/ dirx dir/a", "xdir"},
		{"***", "a a/ a/b", ""},

		// Classes.
		{"[abc]x", "ax bx y/cx", "dx x abx"},
		{"[a-c]", "a b c", "d - A"},
		{"[!a-c]", "d - é/x", "a b c dd"},
		{"[^a]b", "bb x/cb", "ab b"},
		{"[]a]", "] a", "[ b"},
		{"[!]a]", "b [", "] a"},
		{"[a-]", "a -", "b"},
		{"[-a]", "a -", "b"},
		{"[a-c-e]", "a b c - e", "d"},
		{"[c-a]", "c", "a b"},
		{`[\]]`, "]", `\`},
		{`[\a-\c]`, "a b c", `\ d`},
		{"[[:alpha:]]", "a Z", "1 é :"},
		{"[[:upper:][:digit:]_]", "A 7 _", "a :"},
		{"[![:space:]]", "a", "ab"},
		{"[[:alpha:]-c]", "a - c", "["},
		{"[[:x:]]", "", "a x :"},
		{"[[:]", "[ :", "a"},
		{"/a[/]b", "", "a/b ab"},
		{"/a[!x]b", "acb", "a/b axb"},
		{"**[!x]b", "ab c/ab", "b a/b xb"},
		{"a**[!x]b", "acb a/cb", "a/b ab"},
		{"a[/x]b", "", "axb a/b"}, // rsync compares two elements
		{"[a-z]*.[ch]", "main.c x/y.h", "Main.c main.o"},
		{"[-.+]x", "-x .x +x", ",x ax"},
		{`[\\]x`, `\x`, "x"},
		{"[!!]x", "ax", "!x"},

		// A backslash escapes only beside wildcards.
		{`a\b`, `a\b`, "ab"},
		{`a\b*`, "ab abc", `a\b`},
		{`a\*`, "a*", `a\* ab`},
		{`\[a]?`, "[a]x", "ax"},
		{`a\\*`, `a\ a\b`, "a ab"},
		{`/a\/b*`, "a/b a/bc", "ab"},

		// Malformed patterns match nothing.
		{"[ab", "", "[ab a b"},
		{"a[]", "", "a[] a] a["},
		{`a*\`, "", `a\ ab a`},

		// Characters that are special in other tools.
		{"{a,b}", "{a,b}", "a b"},
		{"{a,b}*", "{a,b} {a,b}c", "a b"},
		{"a,b", "a,b", "a b"},
		{"!a", "!a", "a b"},
		{"~", "~", "a"},
		{"start*art", "startart start-art", "start"}, // gobwas/glob#61

		// Names are bytes.
		{"?", "a \xe9", "é"},
		{"??", "é ab", "a"},
		{"[é]", "", "é"},
		{"[é]*", "é è", "a"},
		{"é*", "é étage", "e"},
		{"*é", "é café x/café", "cafe"},
		{"\xe9", "\xe9 x/\xe9", "é"},
		{"/é/**", "é/a é/a/b", "e/a"},
		{"*\xa9", "é", "a"},
		{"[\xc0-\xff]?", "é", "aa"},
	} {
		p, err := pattern.Compile(c.pattern)
		if err != nil {
			t.Errorf("%s: %v", c.pattern, err)
			continue
		}
		matches := func(path string) bool {
			path, isDir := strings.CutSuffix(path, "/")
			return p.Match(path, isDir)
		}
		for _, path := range strings.Fields(c.matches) {
			if !matches(path) {
				t.Errorf("%q does not match %q", c.pattern, path)
			}
		}
		for _, path := range strings.Fields(c.not) {
			if matches(path) {
				t.Errorf("%q matches %q", c.pattern, path)
			}
		}
	}
}
