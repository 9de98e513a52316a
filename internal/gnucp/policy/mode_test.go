package policy

import (
	"io/fs"
	"testing"
)

func TestFirstModes(t *testing.T) {
	owner, mode := Options{Preserve: Preserve{Ownership: true}}, Options{Preserve: Preserve{Mode: true}}
	xattr := Options{Preserve: Preserve{Xattr: true}}
	for _, c := range []struct {
		what         string
		o            Options
		mode         fs.FileMode
		root         bool
		first, extra fs.FileMode
	}{
		{"a file", Options{}, 0o644, false, 0o644, 0},
		{"set-id bits", Options{}, 0o755 | fs.ModeSetuid, false, 0o755, 0},
		{"a file of another user", owner, 0o644, true, 0o600, 0},
		{"attributes of what may not be written", xattr, 0o444, false, 0o644, 0o200},
		{"attributes of what root writes", xattr, 0o444, true, 0o444, 0},
	} {
		if first, extra := c.o.NewFile(c.mode, c.root); first != c.first || extra != c.extra {
			t.Errorf("%s: %v and %v, want %v and %v", c.what, first, extra, c.first, c.extra)
		}
	}
	for _, c := range []struct {
		what                 string
		o                    Options
		made                 fs.FileMode // the resulting mode with the options asked for and umask 022
		first, omitted, back fs.FileMode // of 0775
		gets                 bool
	}{
		{"plain", Options{}, 0o755, 0o775, 0, 0, false},
		{"of another user", owner, 0o700, 0o700, 0o075, 0o755, true},
		{"with its mode", mode, 0o755, 0o755, 0o020, 0, false},
		{"closed by an ACL", Options{}, 0o555, 0o775, 0, 0o555, true},
	} {
		first, omitted := c.o.Parent(0o775)
		back, gets := c.o.ParentBack(c.made, omitted, 0o022)
		if !gets {
			back = 0
		}
		if first != c.first || omitted != c.omitted || back != c.back || gets != c.gets {
			t.Errorf("%s: %v, %v, %v, %v", c.what, first, omitted, back, gets)
		}
	}
	for _, c := range []struct{ mode, made, want fs.FileMode }{
		{0o600, 0, 0o666},
		{fs.ModeNamedPipe, 0, 0o666},
		{fs.ModeSocket, 0, 0o777},
		{fs.ModeDir, 0, 0o777},
		{fs.ModeDir, 0o700 | fs.ModeSetgid, 0o777 | fs.ModeSetgid},
	} {
		if got := Plain(c.mode, c.made); got != c.want {
			t.Errorf("Plain(%v, %v) = %v, want %v", c.mode, c.made, got, c.want)
		}
	}
}
