package vfs_test

import (
	"fmt"
	"io/fs"
	"testing"

	"psync/internal/vfs"
)

func TestUnixMode(t *testing.T) {
	for _, c := range []struct {
		mode  fs.FileMode
		octal string
	}{
		{0o644, "0644"},
		{0o755 | fs.ModeSetuid, "4755"},
		{0o644 | fs.ModeSetuid | fs.ModeSetgid | fs.ModeSticky, "7644"},
		{0o777 | fs.ModeSetgid | fs.ModeSticky, "3777"},
		{0, "0000"},
	} {
		bits := vfs.UnixMode(c.mode)
		if got := fmt.Sprintf("%04o", bits); got != c.octal {
			t.Errorf("UnixMode(%v) = %s, want %s", c.mode, got, c.octal)
		}
		if got, want := vfs.WithUnixMode(fs.ModeDir|0o111|fs.ModeSetuid, bits), fs.ModeDir|c.mode; got != want {
			t.Errorf("WithUnixMode(%s) = %v, want %v", c.octal, got, want)
		}
	}
}
