package filesfrom_test

import (
	"strings"
	"testing"

	"psync/internal/filesfrom"
)

func parseList(t *testing.T, text string, recurse bool) *filesfrom.List {
	t.Helper()
	l, err := filesfrom.Parse(strings.NewReader(text), false, recurse, false)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func TestListNames(t *testing.T) {
	const text = "# comment\n;comment\n\n/usr/bin\n./lib//x//y\r\nlib/x\nlib/z/a/\n #b\nétage/1\nlib/k/.\n"
	l := parseList(t, text, true)
	flat := parseList(t, text, false)
	for _, c := range []struct {
		dir, names  string
		listed, all bool // all: what is in it, without recursion
	}{
		{"", " #b,lib,usr,étage", false, false},
		{"usr", "bin", false, false},
		{"usr/bin", "", true, false},
		{"usr/bin/a/b", "", true, false},
		{"usr/lib", "", false, false},
		{"lib", "k,x,z", false, false},
		{"lib/x", "y", true, false},
		{"lib/x/y", "", true, false},
		{"lib/x/q", "", true, false},
		{"lib/z", "a", false, false},
		{"lib/z/a", "", true, true},
		{"lib/z/a/below", "", true, false},
		{"lib/k", "", true, true},
		{"étage", "1", false, false},
		{"comment", "", false, false},
	} {
		names, all := l.Names(c.dir)
		if got := strings.Join(names, ","); got != c.names || all != c.listed {
			t.Errorf("%q: got %q, %t, want %q, %t", c.dir, got, all, c.names, c.listed)
		}
		names, all = flat.Names(c.dir)
		if got := strings.Join(names, ","); got != c.names || all != c.all {
			t.Errorf("%q, not below: got %q, %t, want %q, %t", c.dir, got, all, c.names, c.all)
		}
		if got := l.Listed(c.dir); got != c.listed {
			t.Errorf("Listed(%q) = %t", c.dir, got)
		}
	}
}

func TestListedWithoutWhatIsBelow(t *testing.T) {
	l := parseList(t, "a\na/b/c/d\nq/\n", false)
	for path, want := range map[string]bool{
		"": false, "a": true, "a/b": false, "a/x": false, "a/b/c": false, "a/b/c/d": true, "a/b/c/d/e": false,
		"q": true, "q/x": true, "q/x/y": false,
	} {
		if got := l.Listed(path); got != want {
			t.Errorf("Listed(%q) = %t, want %t", path, got, want)
		}
	}
}

func TestListOfTheRoot(t *testing.T) {
	for _, text := range []string{".", "/", "./", "a\n/.", "x/./"} {
		for _, recurse := range []bool{false, true} {
			l := parseList(t, text, recurse)
			if _, all := l.Names(""); !all || l.Listed("x/y") != recurse || !l.Listed("x") {
				t.Errorf("%q does not list everything", text)
			}
			if _, all := l.Names("x"); all != recurse {
				t.Errorf("%q, below the root: %t", text, all)
			}
		}
	}
}

func TestEmptyListNamesNothing(t *testing.T) {
	l, err := filesfrom.Parse(strings.NewReader(""), false, true, false)
	if err != nil {
		t.Fatal(err)
	}
	if names, all := l.Names(""); len(names) > 0 || all {
		t.Errorf("got %q, %t", names, all)
	}
}

func TestNoListNamesEverything(t *testing.T) {
	var l *filesfrom.List
	if names, all := l.Names("a"); names != nil || !all || !l.Listed("a") {
		t.Errorf("got %q, %t", names, all)
	}
}

func TestListWithNUL(t *testing.T) {
	l, err := filesfrom.Parse(strings.NewReader("a\nb\x00\x00#c\x00d\r\x00"), true, false, false)
	if err != nil {
		t.Fatal(err)
	}
	if names, _ := l.Names(""); strings.Join(names, ",") != "a\nb,d\r" {
		t.Errorf("got %q", names)
	}
}

func TestListRefusesToLeave(t *testing.T) {
	for _, text := range []string{"a\n..\n", "a\r\n../b", "x\na/../b", "x\n/..\n"} {
		_, err := filesfrom.Parse(strings.NewReader(text), false, false, false)
		if err == nil || !strings.Contains(err.Error(), "entry 2") {
			t.Errorf("%q: got error %v", text, err)
		}
	}
}

func TestListFollowsLinksOnTheWay(t *testing.T) {
	l, err := filesfrom.New([]string{"a/b/c", "./d/", "e", "f/."})
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]bool{"a": true, "a/b": true, "a/b/c": false, "d": true, "d/x": false, "e": false, "f": true, "g": false} {
		if got := l.Follows(path); got != want {
			t.Errorf("%s: %v, want %v", path, got, want)
		}
	}
	if _, err := filesfrom.New([]string{"a/../b"}); err == nil {
		t.Error("a path with .. is no error")
	}
}
