package operand

import (
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

func TestPlace(t *testing.T) {
	dirs := func(paths ...string) (s []sourceOperand) {
		for _, p := range paths {
			s = append(s, sourceOperand{p, filepath.Base(p), true})
		}
		return s
	}
	tests := []struct {
		name    string
		sources []sourceOperand
		want    []placement
		err     string
	}{
		{"one directory: its contents", dirs("/a/b"), []placement{{dir: "/a/b"}}, ""},
		{"one directory with a slash: the same", dirs("/a/b/"), []placement{{dir: "/a/b/"}}, ""},
		{"one file: its name", []sourceOperand{{"/a/f", "f", false}}, []placement{{dir: "/a/", names: []string{"f"}}}, ""},
		{"a file right here", []sourceOperand{{"f", "f", false}}, []placement{{dir: ".", names: []string{"f"}}}, ""},
		{
			"several: names, by directory",
			append(dirs("/a/d", "/b/e"), sourceOperand{"/a/f", "f", false}),
			[]placement{{dir: "/a/", names: []string{"d", "f"}}, {dir: "/b/", names: []string{"e"}}},
			"",
		},
		{
			"a trailing slash follows a link",
			append(dirs("/a/d/"), sourceOperand{"/a/f", "f", false}),
			[]placement{{dir: "/a/d/", into: "d"}, {dir: "/a/", names: []string{"f"}}},
			"",
		},
		{
			"dots get the name they stand for",
			[]sourceOperand{{".", "here", true}, {"/a/f", "f", false}},
			[]placement{{dir: ".", into: "here"}, {dir: "/a/", names: []string{"f"}}},
			"",
		},
		{"same name twice", dirs("/a/d", "/b/d"), nil, "/a/d and /b/d"},
		{"same operand twice", dirs("/a/d", "/a/d"), nil, "/a/d and /a/d"},
		{
			"nothing is cleaned",
			[]sourceOperand{{"link/../f", "f", false}, {"link/../g", "g", false}},
			[]placement{{dir: "link/../", names: []string{"f", "g"}}},
			"",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := placements(Host{}, tt.sources, len(tt.sources) == 1)
			if tt.err != "" {
				if err == nil || !strings.Contains(err.Error(), tt.err) {
					t.Fatalf("error %v, want one about %q", err, tt.err)
				}
				return
			}
			if err != nil || !reflect.DeepEqual(got, tt.want) {
				t.Errorf("got %+v, %v, want %+v", got, err, tt.want)
			}
		})
	}
}
