package report

import (
	"sync"
	"testing"
)

func TestPath(t *testing.T) {
	tests := []struct{ root, dir, name, want string }{
		{"", "", "", "."},
		{"", "", "f", "f"},
		{"", "a/b", "f", "a/b/f"},
		{"", "a/b", "", "a/b"},
		{"/src", "", "", "/src"},
		{"/src", "a", "f", "/src/a/f"},
		{"/src/", "a", "f", "/src/a/f"},
		{"/", "a", "f", "/a/f"},
		{"/", "", "", "/"},
		{".", "", "f", "./f"},
		{"src/", "", "", "src/"},
	}
	for _, tt := range tests {
		e := Event{Root: tt.root, Dir: tt.dir, Name: tt.name}
		if got := e.Path(); got != tt.want {
			t.Errorf("Path of %q, %q, %q = %q, want %q", tt.root, tt.dir, tt.name, got, tt.want)
		}
	}
}

func TestTotalsAddUpAllCounters(t *testing.T) {
	var s Stats
	var wg sync.WaitGroup
	for range 8 {
		c := s.Counter()
		wg.Go(func() {
			for range 1000 {
				c.Add(FilesMade, 1)
				c.Add(BytesCopied, 3)
			}
			c.Add(BytesCopied, -3)
		})
	}
	wg.Wait()
	want := Totals{FilesMade: 8000, BytesCopied: 8 * 2997}
	if got := s.Totals(); got != want {
		t.Errorf("totals %v, want %v", got, want)
	}
}
