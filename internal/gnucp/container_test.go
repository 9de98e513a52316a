package gnucp

import (
	"testing"

	"psync/internal/localfs"
)

func TestSplit(t *testing.T) {
	for _, c := range []struct{ path, dir, prefix, name string }{
		{"f", "", "", "f"},
		{"a/f", "a", "a/", "f"},
		{"a//f//", "a", "a//", "f//"},
		{"/f", "/", "/", "f"},
		{"/", "", "", "/"},
		{".", "", "", "."},
		{"a/.", "", "", "a/."},
		{"a/b/./.", "a", "a/", "b/./."},
		{"./f", ".", "./", "f"},
		{"a/..", "a", "a/", ".."},
		{"/a/b/c", "/a/b", "/a/b/", "c"},
	} {
		in, p := split(c.path)
		if in.name != c.dir || p.Prefix != c.prefix || p.Name != c.name || p.String() != c.path {
			t.Errorf("%s: %q in %q, called %q", c.path, p.Name, in.name, p)
		}
		if byPath := in.open == localfs.Cwd && p.At == localfs.Cwd; byPath != (c.dir == "") {
			t.Errorf("%s: found by its path: %v", c.path, byPath)
		}
	}
}
