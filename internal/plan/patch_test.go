package plan

import (
	"io/fs"
	"testing"

	"psync/internal/vfs"
)

func TestPatches(t *testing.T) {
	large, there := vfs.Attr{Size: MinPatch}, vfs.Attr{Size: minBase}
	for _, tt := range []struct {
		name        string
		policy      Policy
		action      Action
		want, there vfs.Attr
		foreign     bool
		patches     bool
	}{
		{"another version", Policy{}, Replace, large, there, false, true},
		{"in place", Policy{InPlace: true}, Replace, large, there, false, true},
		{"whole files", Policy{WholeFile: true}, Replace, large, there, false, false},
		{"new", Policy{}, Create, large, vfs.Attr{}, false, false},
		{"in place of a directory", Policy{}, ReplaceDir, large, vfs.Attr{Mode: fs.ModeDir, Size: minBase}, false, false},
		{"in place of a fifo", Policy{}, Replace, large, vfs.Attr{Mode: fs.ModeNamedPipe, Size: minBase}, false, false},
		{"small", Policy{}, Replace, vfs.Attr{Size: MinPatch - 1}, there, false, false},
		{"was small", Policy{}, Replace, large, vfs.Attr{Size: minBase - 1}, false, false},
		{"of another user", Policy{}, Replace, large, there, true, false},
	} {
		if got := tt.policy.Patches(tt.action, tt.want, tt.there, tt.foreign); got != tt.patches {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.patches)
		}
	}
}
