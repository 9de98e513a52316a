package proof

import (
	"slices"
	"strings"
	"testing"

	"psync/internal/journal"
)

func TestRootNames(t *testing.T) {
	tests := []struct{ sources, roots, want string }{
		{"/s", "/s", "/s"},
		{"/s/ /t/", "/s/ /t/", "/s/;/t/"},
		{"/d/f", "/d", "/d/f"},
		{"/d/f /d/g", "/d", "/d/f /d/g"},
		{"/d/f /d/e/g /d/e/h", "/d/ /d/e/", "/d/f;/d/e/g /d/e/h"},
		{"/d/f /d/e", "/d/e /d", "/d/e;/d/f"},
		{"/d/f /d", "/d", "/d"},
		{"/f /g", "/", "/f /g"},
		{"/", "/", "/"},
		{"/d/a/b", "/d/a", "/d/a/b"},
		{"/dir/f", "/d", "/d"},                       // that is not below it
		{"/d", "/d/part /d/more", "/d/part;/d/more"}, // with --files-from
		{"box:f box:g", "box:.", "'box:f' 'box:g'"},
		{"box:d/f box:/d/f", "box:d/ box:/d/", "'box:d/f';'box:/d/f'"},
		{"box:", "box:", "box:"},
		{"/1 /2 /3 /4 /5 /6 /7 /8 /9 /a /b /c /d /e", "/", "/1 /2 /3 /4 /5 /6 /7 /8 /9 /a /b ... /e"},
	}
	for _, tt := range tests {
		got := rootNames(journal.Job{Sources: strings.Fields(tt.sources), Roots: strings.Fields(tt.roots)})
		if want := strings.Split(tt.want, ";"); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", tt.sources, got, want)
		}
	}
	for _, tt := range []struct{ root, path, want string }{
		{"/d", "a/b", "/d/a/b"},
		{"/d/", "", "/d/"},
		{"/d/x:.", "a", "/d/x:./a"},
		{"/", "a", "/a"},
		{"box:.", "a/b", "box:a/b"},
		{"box:", "a", "box:a"},
		{"box:d/", "a", "box:d/a"},
	} {
		if got := below(tt.root, tt.path); got != tt.want {
			t.Errorf("%s below %s: %s, want %s", tt.path, tt.root, got, tt.want)
		}
	}
}
