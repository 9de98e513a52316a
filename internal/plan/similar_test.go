package plan

import (
	"testing"
	"time"

	"psync/internal/vfs"
)

func TestSimilar(t *testing.T) {
	now := time.Unix(1_700_000_000, 0)
	same := vfs.Attr{Size: MinPatch, Mtime: now}
	other := vfs.Attr{Size: MinPatch, Mtime: now.Add(1)}
	small := vfs.Attr{Size: 1, Mtime: now}
	for _, tt := range []struct {
		what  string
		files map[string]vfs.Attr
		want  string
	}{
		{"nothing", nil, ""},
		{"same size and time", map[string]vfs.Attr{"disk-2.img": other, "x": same}, "x"},
		{"most similar", map[string]vfs.Attr{"disk-20.img": other, "disk-2.img": other, "other.img": other}, "disk-2.img"},
		{"same suffix", map[string]vfs.Attr{"disk-1.txt": other, "disk-999.img": other}, "disk-999.img"},
		{"other name", map[string]vfs.Attr{"something of another kind entirely": other}, ""},
		{"too small", map[string]vfs.Attr{"disk-2.img": small}, ""},
	} {
		s := Similar{Name: "disk-1.img", Want: same}
		for name, attr := range tt.files {
			s.Add(name, attr)
		}
		if s.Best != tt.want {
			t.Errorf("%s: %q, want %q", tt.what, s.Best, tt.want)
		}
	}
}

func TestDistance(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"abc", "", 3}, {"", "abc", 3}, {"kitten", "sitting", 3}, {"abc", "abc", 0}, {"ab", "ba", 2}} {
		if got := distance(tt.a, tt.b); got != tt.want {
			t.Errorf("%q, %q: %d, want %d", tt.a, tt.b, got, tt.want)
		}
	}
}
