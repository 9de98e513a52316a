package operand

import (
	"errors"
	"reflect"
	"testing"
)

func TestSplitRelative(t *testing.T) {
	for _, tt := range []struct {
		operand string
		want    relativeOperand
		names   []string
	}{
		{"a/b", relativeOperand{dir: ".", path: "a/b"}, []string{"a", "b"}},
		{"./a", relativeOperand{dir: ".", path: "./a", self: true}, []string{"a"}},
		{".", relativeOperand{dir: ".", path: ".", self: true}, nil},
		{"a/./b//c/", relativeOperand{dir: "a", path: "b//c/"}, []string{"b", "c"}},
		{"a/../b/./c", relativeOperand{dir: "a/../b", path: "c"}, []string{"c"}},
		{"a//./b/./c", relativeOperand{dir: "a", path: "b/./c"}, []string{"b", "c"}},
		{"a/./", relativeOperand{dir: "a"}, nil},
		{"/etc/x", relativeOperand{dir: "/", path: "/etc/x"}, []string{"etc", "x"}},
		{"/./etc", relativeOperand{dir: "/", path: "etc"}, []string{"etc"}},
	} {
		got, err := splitRelative(tt.operand)
		if err != nil || got != tt.want {
			t.Errorf("%s: %+v, %v, want %+v", tt.operand, got, err, tt.want)
		}
		if names := got.names(); len(names) != len(tt.names) || len(names) > 0 && !reflect.DeepEqual(names, tt.names) {
			t.Errorf("%s: names %q, want %q", tt.operand, names, tt.names)
		}
	}
	for _, operand := range []string{"../a", "a/./../b", "/etc/..", ".."} {
		if _, err := splitRelative(operand); !errors.Is(err, ErrDotsBelow) {
			t.Errorf("%s: %v, want %v", operand, err, ErrDotsBelow)
		}
	}
}
