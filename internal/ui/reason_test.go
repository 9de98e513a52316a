package ui

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"
	"testing"
)

func TestReason(t *testing.T) {
	open := &fs.PathError{Op: "open", Path: "f", Err: syscall.EACCES}
	tests := []struct {
		what string
		err  error
		want string
	}{
		{"path error", open, "open: permission denied"},
		{"path error in a path error", &fs.PathError{Op: "copy", Path: "f", Err: open}, "copy: open: permission denied"},
		{"link error", &os.LinkError{Op: "rename", Old: "a", New: "b", Err: syscall.ENOENT}, "rename: no such file or directory"},
		{"plain error", errors.New("file changed while copying"), "file changed while copying"},
		{"wrapped error", fmt.Errorf("f: %w", open), "f: open f: permission denied"},
		{"joined errors", errors.Join(open, syscall.EIO), "open: permission denied; input/output error"},
		{"joined error alone", errors.Join(nil, open), "open: permission denied"},
		{"joins in joins", errors.Join(errors.Join(open, syscall.EIO), syscall.EPIPE), "open: permission denied; input/output error; broken pipe"},
		{"two wrapped errors", fmt.Errorf("%w after %w", syscall.EIO, open), "input/output error after open f: permission denied"},
		{"hostile text", errors.New("bad name \x1b[2J\n"), `bad name \033[2J\012`},
		{"none", nil, "unknown error"},
	}
	for _, test := range tests {
		if got := reason(test.err); got != test.want {
			t.Errorf("%s: got %q, want %q", test.what, got, test.want)
		}
	}
}

func TestCauseNamesNoSystemCall(t *testing.T) {
	chown := &fs.PathError{Op: "fchownat", Path: "f", Err: syscall.EPERM}
	tests := []struct {
		err  error
		want string
	}{
		{chown, "operation not permitted"},
		{fmt.Errorf("set attributes: %w", chown), "operation not permitted"},
		{&os.LinkError{Op: "linkat", Old: "f", New: "g", Err: syscall.EMLINK}, "too many links"},
		{errors.ErrUnsupported, "unsupported operation"},
	}
	for _, test := range tests {
		if got := cause(test.err); got != test.want {
			t.Errorf("cause(%v) = %q, want %q", test.err, got, test.want)
		}
	}
}
