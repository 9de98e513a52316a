package filesfrom_test

import (
	"fmt"
	"strings"
	"testing"

	"psync/internal/filesfrom"
)

func TestParts(t *testing.T) {
	for _, c := range []struct{ list, parts, names string }{
		{"", "[{ [] false}]", ""},
		{"a/b", "[{ [] false}]", "a"},
		{".", "[{ [] true}]", ""},
		{"/", "[{ [] true}]", ""},
		{"./a", "[{ [] true}]", "a"},
		{".//a", "[{ [] true}]", "a"},
		{"/./a", "[{ [] true}]", "a"},
		{"././a", "[{ [] false}]", "a"},
		{"x/.", "[{ [] false}]", "x"},
		{"x/./a/b\n/x//./a\n./x/.//c", "[{x [] false}]", "a,c"},
		{"x/y/./a/./b", "[{x/y [] false}]", "a"},
		{"x/./", "[{x [] true}]", ""},
		{"x/./.", "[{x [] true}]", ""},
		{"x/./a\nb\ny/./c/d\nx/./e", "[{x [a e] false} { [b] false} {y [c] false}]", "a,b,c,e"},
	} {
		l := parseList(t, c.list, false)
		if got := fmt.Sprint(l.Parts()); got != c.parts {
			t.Errorf("%q: parts %s, want %s", c.list, got, c.parts)
		}
		if names, _ := l.Names(""); strings.Join(names, ",") != c.names {
			t.Errorf("%q: names %q, want %s", c.list, names, c.names)
		}
	}
}

func TestPartsThatCannotBeInOneDirectory(t *testing.T) {
	for list, want := range map[string]string{
		"x/./a\ny/./a/b": `entry 2: "a" would come from both "./x" and "./y"`,
		"a\nx/./a":       `entry 2: "a" would come from both "./" and "./x"`,
		"x/./\ny/./a":    "all of a directory",
		"y/./a\n.":       "all of a directory",
		"x/../y/./a":     "..",
		"x/./a/../b":     "..",
	} {
		_, err := filesfrom.Parse(strings.NewReader(list), false, true, false)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got error %v", list, err)
		}
	}
}

func TestPathsInTheSource(t *testing.T) {
	l := parseList(t, "x/./a/b\nc\ny/./d", false)
	for path, want := range map[string]string{"a/b": "x/./a/b", "a": "x/./a", "c": "c", "d/e": "y/./d/e"} {
		if got := l.InSource(path); got != want {
			t.Errorf("%s is %s, want %s", path, got, want)
		}
	}
	if got := (*filesfrom.List)(nil).InSource("a/b"); got != "a/b" {
		t.Errorf("without a list: %s", got)
	}
}
