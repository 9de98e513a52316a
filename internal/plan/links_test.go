package plan

import (
	"fmt"
	"testing"
)

func TestLeadsOut(t *testing.T) {
	tests := []struct {
		target, dir string
		want        bool
	}{
		{"", "", true},
		{"", "a", true},
		{"/abs", "", true},
		{"/", "a/b", true},
		{"x", "", false},
		{"x", "a/b", false},
		{"x/y/z", "", false},
		{".", "", false},
		{".", "a", false},
		{"./x", "", false},
		{"..", "", true},
		{"..", "a", false},
		{"..", "a/b", false},
		{"../x", "", true},
		{"../x", "a", false},
		{"../../x", "a", true},
		{"../../x", "a/b", false},
		{"../../../x", "a/b", true},
		{"../..", "a/b", false},
		{"../../..", "a/b", true},
		{"..//x", "a", false},
		{"..//..//x", "a", true},
		{"a//b", "", false},
		{"a/", "", false},
		{"../", "", true},
		{"a/../b", "", true}, // a may be a link
		{"a/../b", "a/b/c", true},
		{"a/..", "x", true},
		{"../a/..", "x/y", true},
		{"./../x", "", true},
		{"./../x", "a", true}, // as in rsync, though it does not lead out
		{"...", "", false},
		{"..x", "", false},
		{"..x/y", "", false},
		{"../x", "a//b", false},
	}
	for _, tt := range tests {
		t.Run(fmt.Sprintf("%q in %q", tt.target, tt.dir), func(t *testing.T) {
			if got := LeadsOut(tt.target, tt.dir); got != tt.want {
				t.Errorf("LeadsOut(%q, %q) = %v, want %v", tt.target, tt.dir, got, tt.want)
			}
		})
	}
}
