package output

import (
	"bytes"
	"errors"
	"testing"
)

type named struct{ name string }

func (n named) String() string { return n.name }

func TestNamesAreQuoted(t *testing.T) {
	_, s := New(Config{Stdout: new(bytes.Buffer), Stderr: new(bytes.Buffer)})
	for _, c := range []struct {
		arg  any
		want string
	}{
		{"a b", "'a b'"},
		{"it's", `"it's"`},
		{named{"f"}, "'f'"},
		{Plain("a b"), "a b"},
		{Word("a"), "'a'"},
		{Leading("a"), "a"},
		{Leading("a b"), "'a b'"},
		{7, "7"},
	} {
		if got := s.Text("%v", c.arg); got != c.want {
			t.Errorf("%#v: %s, want %s", c.arg, got, c.want)
		}
	}
}

func TestDiagnostics(t *testing.T) {
	var out, err bytes.Buffer
	o, s := New(Config{Stdout: &out, Stderr: &err, Program: "cp"})
	if s.Fail(errors.New("no"), "cannot stat %s", "f") || s.Refuse("%s is there", "g") {
		t.Error("what went wrong is well")
	}
	s.Close()
	if want := "cp: cannot stat 'f': no\ncp: 'g' is there\n"; err.String() != want || out.Len() > 0 || o.Err() != nil {
		t.Errorf("%q, %q, %v, want %q", err.String(), out.String(), o.Err(), want)
	}
}
