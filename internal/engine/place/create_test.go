package place

import (
	"io/fs"
	"testing"

	"psync/internal/vfs"
)

// TestIsNew distinguishes what this user may just have made from what another user has made.
func TestIsNew(t *testing.T) {
	made := vfs.Attr{Mode: 0o640, UID: 5, Nlink: 1}
	for name, tt := range map[string]struct {
		change func(*vfs.Attr)
		want   bool
	}{
		"as made":            {func(*vfs.Attr) {}, true},
		"narrowed":           {func(a *vfs.Attr) { a.Mode = 0o600 }, true},
		"of another user":    {func(a *vfs.Attr) { a.UID = 6 }, false},
		"open to others":     {func(a *vfs.Attr) { a.Mode = 0o666 }, false},
		"with contents":      {func(a *vfs.Attr) { a.Size = 1 }, false},
		"with another name":  {func(a *vfs.Attr) { a.Nlink = 2 }, false},
		"not a regular file": {func(a *vfs.Attr) { a.Mode |= fs.ModeNamedPipe }, false},
	} {
		attr := made
		tt.change(&attr)
		if got := isNew(attr, vfs.User{UID: 5}, 0o640); got != tt.want {
			t.Errorf("%s: %v, want %v", name, got, tt.want)
		}
	}
}
