package cpflags

import (
	"slices"
	"strings"
	"testing"
)

func TestComplete(t *testing.T) {
	tests := []struct {
		line string // the last word is completed; a line may end in a blank
		want string
		kind Kind
	}{
		{"", "", Files},
		{"-r src", "", Files},
		{"-- -", "", Files},
		{"--ref", "--reflink", NoFiles},
		{"-t", "-t", NoFiles},
		{"--reflink=", "auto always never", NoFiles},
		{"--reflink=al", "always", NoFiles},
		{"--sparse ", "never auto always", NoFiles},
		{"--preserve=mode,ti", "mode,timestamps", NoFiles},
		{"--no-preserve o", "ownership", NoFiles},
		{"--update=none", "none none-fail", NoFiles},
		{"-t ", "", Directories},
		{"-rt d", "", Directories},
		{"-td ", "", Files},
		{"--target-directory=d", "", Directories},
		{"-j ", "", NoFiles},
		{"--reflink ", "", Files},
		{"--nonsense=x", "", NoFiles},
	}
	for _, test := range tests {
		words := strings.Split(test.line, " ")
		got, kind := Complete(words[:len(words)-1], words[len(words)-1])
		if !slices.Equal(got, strings.Fields(test.want)) || kind != test.kind {
			t.Errorf("%q: got %q, %d, want %q, %d", test.line, got, kind, test.want, test.kind)
		}
	}
}
