package filter_test

import (
	"strings"
	"testing"

	"psync/internal/filter"
)

func TestListNames(t *testing.T) {
	const text = "# comment\n;comment\n\n/usr/bin\n./lib//x/./y\r\nlib/x\nlib/z/a/\n #b\nétage/1\n"
	l, err := filter.ParseList(strings.NewReader(text), false)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		dir, names string
		all        bool
	}{
		{"", " #b,lib,usr,étage", false},
		{"usr", "bin", false},
		{"usr/bin", "", true},
		{"usr/bin/a/b", "", true},
		{"usr/lib", "", false},
		{"lib", "x,z", false},
		{"lib/x", "y", true},
		{"lib/x/y", "", true},
		{"lib/x/q", "", true},
		{"lib/z", "a", false},
		{"étage", "1", false},
		{"comment", "", false},
	} {
		names, all := l.Names(c.dir)
		if got := strings.Join(names, ","); got != c.names || all != c.all {
			t.Errorf("%q: got %q, %t, want %q, %t", c.dir, got, all, c.names, c.all)
		}
		if got := l.Listed(c.dir); got != c.all {
			t.Errorf("Listed(%q) = %t", c.dir, got)
		}
	}
}

func TestListOfTheRoot(t *testing.T) {
	for _, text := range []string{".", "/", "./", "a\n./."} {
		l, err := filter.ParseList(strings.NewReader(text), false)
		if err != nil {
			t.Fatal(err)
		}
		if _, all := l.Names(""); !all || !l.Listed("x/y") {
			t.Errorf("%q does not list everything", text)
		}
	}
}

func TestEmptyListNamesNothing(t *testing.T) {
	l, err := filter.ParseList(strings.NewReader(""), false)
	if err != nil {
		t.Fatal(err)
	}
	if names, all := l.Names(""); len(names) > 0 || all {
		t.Errorf("got %q, %t", names, all)
	}
}

func TestNoListNamesEverything(t *testing.T) {
	var l *filter.List
	if names, all := l.Names("a"); names != nil || !all || !l.Listed("a") {
		t.Errorf("got %q, %t", names, all)
	}
}

func TestListWithNUL(t *testing.T) {
	l, err := filter.ParseList(strings.NewReader("a\nb\x00\x00#c\x00d\r\x00"), true)
	if err != nil {
		t.Fatal(err)
	}
	if names, _ := l.Names(""); strings.Join(names, ",") != "a\nb,d\r" {
		t.Errorf("got %q", names)
	}
}

func TestListRefusesToLeave(t *testing.T) {
	for _, text := range []string{"a\n..\n", "a\r\n../b", "x\na/../b", "x\n/..\n"} {
		_, err := filter.ParseList(strings.NewReader(text), false)
		if err == nil || !strings.Contains(err.Error(), "entry 2") {
			t.Errorf("%q: got error %v", text, err)
		}
	}
}

func TestListFollowsLinksOnTheWay(t *testing.T) {
	l, err := filter.NewList([]string{"a/b/c", "./d/", "e", "f/."})
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]bool{"a": true, "a/b": true, "a/b/c": false, "d": true, "d/x": false, "e": false, "f": true, "g": false} {
		if got := l.Follows(path); got != want {
			t.Errorf("%s: %v, want %v", path, got, want)
		}
	}
	if _, err := filter.NewList([]string{"a/../b"}); err == nil {
		t.Error("a path with .. is no error")
	}
}
