package operand

import (
	"slices"
	"strings"
	"testing"

	"psync/internal/filesfrom"
	"psync/internal/filter"
)

func TestScopeVisits(t *testing.T) {
	tests := []struct {
		name  string
		rules string // --exclude, or --include after +
		files string // --files-from, or empty for none
		x, r  bool
		route route
		want  bool
	}{
		{"everything", "", "", false, false, route{path: "mnt/b"}, true},
		{"unknown, whatever the rules", "*", "", true, false, route{unknown: true, crosses: true}, true},
		{"-x", "", "", true, false, route{path: "mnt/b"}, true},
		{"-x, another file system", "", "", true, false, route{path: "mnt/b", crosses: true}, false},
		{"another file system", "", "", false, false, route{path: "mnt/b", crosses: true}, true},
		{"excluded", "/mnt/b", "", false, false, route{path: "mnt/b"}, false},
		{"excluded above", "/mnt/", "", false, false, route{path: "mnt/b"}, false},
		{"excluded beside", "/mnt/c", "", false, false, route{path: "mnt/b"}, true},
		{"excluded below", "/mnt/b/c", "", false, false, route{path: "mnt/b"}, true},
		{"included first", "+/mnt/ /mnt", "", false, false, route{path: "mnt/b"}, true},
		{"excluded by name", "b", "", false, false, route{path: "mnt/b"}, false},
		{"an operand cannot be excluded", "/a", "", false, false, route{into: "a", path: "mnt/b"}, true},
		{"below an operand", "/a/mnt", "", false, false, route{into: "a", path: "mnt/b"}, false},
		{"listed", "", "mnt/b", false, false, route{path: "mnt/b"}, true},
		{"leads to what is listed", "", "mnt/b/c", false, false, route{path: "mnt/b"}, true},
		{"listed above", "", "mnt", false, false, route{path: "mnt/b"}, false},
		{"listed above, with what is in it", "", "mnt", false, true, route{path: "mnt/b"}, true},
		{"all listed, with what is in it", "", ".", false, true, route{path: "mnt/b"}, true},
		{"listed beside", "", "mnt/c", false, true, route{path: "mnt/b"}, false},
		{"rules spare what leads to listed ones", "/mnt", "mnt/b", false, true, route{path: "mnt/b"}, true},
		{"rules hide listed ones", "/mnt/b", "mnt/b", false, true, route{path: "mnt/b"}, false},
	}
	for _, tt := range tests {
		s := Scope{OneFileSystem: tt.x}
		if tt.rules != "" {
			var b filter.Builder
			for rule := range strings.FieldsSeq(tt.rules) {
				add := b.Exclude
				if pattern, include := strings.CutPrefix(rule, "+"); include {
					add, rule = b.Include, pattern
				}
				if err := add(rule); err != nil {
					t.Fatal(err)
				}
			}
			s.Rules = b.Rules(false)
		}
		if tt.files != "" {
			list, err := filesfrom.Parse(strings.NewReader(tt.files), false, tt.r, false)
			if err != nil {
				t.Fatal(err)
			}
			s.Files = list
		}
		if got := s.visits(tt.route); got != tt.want {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}

func TestTrees(t *testing.T) {
	got := placement{dir: "dir", names: []string{"a", "b"}}.trees()
	if want := []tree{{path: "dir/a", name: "a"}, {path: "dir/b", name: "b"}}; !slices.Equal(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
	if got, want := (placement{dir: "dir", names: []string{"a"}, as: "b"}).trees(), []tree{{path: "dir/a", name: "b"}}; !slices.Equal(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
	if got, want := (placement{dir: "dir", into: "in"}).trees(), []tree{{path: "dir", into: "in"}}; !slices.Equal(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
}
