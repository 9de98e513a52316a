package location

import (
	"errors"
	"reflect"
	"testing"
)

func TestSplitRelative(t *testing.T) {
	for _, tt := range []struct {
		operand string
		want    Relative
		names   []string
	}{
		{"a/b", Relative{Dir: ".", Path: "a/b"}, []string{"a", "b"}},
		{"./a", Relative{Dir: ".", Path: "./a", Self: true}, []string{"a"}},
		{".", Relative{Dir: ".", Path: ".", Self: true}, nil},
		{"a/./b//c/", Relative{Dir: "a", Path: "b//c/"}, []string{"b", "c"}},
		{"a/../b/./c", Relative{Dir: "a/../b", Path: "c"}, []string{"c"}},
		{"a//./b/./c", Relative{Dir: "a", Path: "b/./c"}, []string{"b", "c"}},
		{"a/./", Relative{Dir: "a"}, nil},
		{"/etc/x", Relative{Dir: "/", Path: "/etc/x"}, []string{"etc", "x"}},
		{"/./etc", Relative{Dir: "/", Path: "etc"}, []string{"etc"}},
	} {
		got, err := SplitRelative(tt.operand)
		if err != nil || got != tt.want {
			t.Errorf("%s: %+v, %v, want %+v", tt.operand, got, err, tt.want)
		}
		if names := got.Names(); len(names) != len(tt.names) || len(names) > 0 && !reflect.DeepEqual(names, tt.names) {
			t.Errorf("%s: names %q, want %q", tt.operand, names, tt.names)
		}
	}
	for _, operand := range []string{"../a", "a/./../b", "/etc/..", ".."} {
		if _, err := SplitRelative(operand); !errors.Is(err, ErrDotsBelow) {
			t.Errorf("%s: %v, want %v", operand, err, ErrDotsBelow)
		}
	}
}
