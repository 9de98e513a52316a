package overlap

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

func TestInside(t *testing.T) {
	top := t.TempDir()
	path := func(elem ...string) string { return filepath.Join(append([]string{top}, elem...)...) }
	if err := errors.Join(
		os.MkdirAll(path("a", "b", "c"), 0o755),
		os.MkdirAll(path("ab"), 0o755),
		os.Symlink("a/b", path("link"))); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		inner, outer string
		want         bool
	}{
		{path("a"), path("a"), true},
		{path("a", "b", "c"), path("a"), true},
		{path("a"), path("a", "b"), false},
		{path("ab"), path("a"), false},
		{path("link"), path("a"), true},
		{path("link", "c"), path("a", "b"), true},
		{path("a", "b", "c"), path("link"), true},
		{path("a", "b", "c") + "/../..", path("a"), true},
		{top, path("a"), false},
	}
	for _, tt := range tests {
		_, got, err := Inside(tt.inner, tt.outer)
		if err != nil || got != tt.want {
			t.Errorf("Inside(%s, %s) = %v, %v, want %v", tt.inner, tt.outer, got, err, tt.want)
		}
	}
	if _, _, err := Inside(path("none"), top); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("missing directory: %v", err)
	}
}
