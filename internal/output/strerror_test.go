package output

import (
	"errors"
	"io/fs"
	"syscall"
	"testing"
)

func TestStrerror(t *testing.T) {
	err := &fs.PathError{Op: "open", Path: "f", Err: syscall.ENOENT}
	if got, want := Strerror(err), "No such file or directory"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := Strerror(errors.New("else")); got != "else" {
		t.Errorf("got %q", got)
	}
}
