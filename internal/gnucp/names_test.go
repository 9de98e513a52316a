package gnucp

import "testing"

func TestJoin(t *testing.T) {
	for _, c := range []struct{ dir, name, want string }{
		{"d", "n", "d/n"},
		{"d/", "n", "d/n"},
		{"d//", "n", "d/n"},
		{"/", "n", "/n"},
		{"", "n", "n"},
		{"d", "", "d/"},
		{"d", "/abs/n", "d/abs/n"},
		{"/", "/abs/n", "/./abs/n"},
		{"a/b", ".", "a/b/."},
	} {
		if got := join(c.dir, c.name); got != c.want {
			t.Errorf("join(%q, %q) = %q, want %q", c.dir, c.name, got, c.want)
		}
	}
}

func TestPartsOfPaths(t *testing.T) {
	for _, c := range []struct{ path, last, landing, dir, stripped string }{
		{"a", "a", "a", ".", "a"},
		{"a/", "a/", "a", ".", "a"},
		{"a/b", "b", "b", "a", "a/b"},
		{"a//b//", "b//", "b", "a", "a//b"},
		{"/a", "a", "a", "/", "/a"},
		{"/", "/", "", ".", "/"},
		{"//", "//", "", ".", "/"},
		{"..", "..", ".", ".", ".."},
		{"a/..", "..", ".", "a", "a/.."},
		{".", ".", ".", ".", "."},
		{"", "", "", ".", ""},
	} {
		if got := lastElement(c.path); got != c.last {
			t.Errorf("lastElement(%q) = %q, want %q", c.path, got, c.last)
		}
		if got := landing(c.path); got != c.landing {
			t.Errorf("landing(%q) = %q, want %q", c.path, got, c.landing)
		}
		if got := dirName(c.path); got != c.dir {
			t.Errorf("dirName(%q) = %q, want %q", c.path, got, c.dir)
		}
		if got := stripSlashes(c.path); got != c.stripped {
			t.Errorf("stripSlashes(%q) = %q, want %q", c.path, got, c.stripped)
		}
	}
}
