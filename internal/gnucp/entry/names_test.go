package entry

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
		if got := Join(c.dir, c.name); got != c.want {
			t.Errorf("Join(%q, %q) = %q, want %q", c.dir, c.name, got, c.want)
		}
	}
}

func TestPartsOfPaths(t *testing.T) {
	for _, c := range []struct{ path, last, dest, dir, stripped string }{
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
		if got := LastElement(c.path); got != c.last {
			t.Errorf("LastElement(%q) = %q, want %q", c.path, got, c.last)
		}
		if got := DestName(c.path); got != c.dest {
			t.Errorf("DestName(%q) = %q, want %q", c.path, got, c.dest)
		}
		if got := DirName(c.path); got != c.dir {
			t.Errorf("DirName(%q) = %q, want %q", c.path, got, c.dir)
		}
		if got := StripSlashes(c.path); got != c.stripped {
			t.Errorf("StripSlashes(%q) = %q, want %q", c.path, got, c.stripped)
		}
	}
}
