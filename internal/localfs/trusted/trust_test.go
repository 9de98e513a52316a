package trusted

import (
	"io/fs"
	"testing"

	"psync/internal/vfs"
)

func TestTrusted(t *testing.T) {
	const root, me, other, third = 0, 1000, 1001, 1002
	tests := []struct {
		name         string
		link, holder uint32 // owners
		mode         fs.FileMode
		uid          uint32
		want         bool
	}{
		{"mine in mine", me, me, 0o755, me, true},
		{"mine in a directory of everybody", me, root, 0o777, me, true},
		{"mine in a sticky directory", me, root, fs.ModeSticky | 0o777, me, true},
		{"mine in a directory of another", me, other, 0o755, me, true},
		{"root's in root's, as /var of macOS", root, root, 0o755, me, true},
		{"root's in a directory of another", root, other, 0o755, me, true},
		{"root follows its own", root, other, 0o777, root, true},
		{"root follows a user's in the user's home", other, other, 0o700, root, false},
		{"a user follows another's in that one's home", other, other, 0o755, me, false},
		{"another's in a sticky directory", other, root, fs.ModeSticky | 0o777, me, false},
		{"another's in a directory of the group", other, me, 0o775, me, false},
		{"another's in a directory of everybody", other, root, 0o777, me, false},
		{"another's in a directory of a third", other, third, 0o755, me, false},
		{"another's where only root could put it", other, root, 0o755, me, true},
		{"another's where only I could put it", other, me, 0o755, me, true},
	}
	for _, tt := range tests {
		link := vfs.Attr{UID: tt.link, Mode: fs.ModeSymlink | 0o777}
		dir := vfs.Attr{UID: tt.holder, Mode: fs.ModeDir | tt.mode}
		if got := trusted(link, dir, tt.uid, false); got != tt.want {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
		if got, want := trusted(link, dir, tt.uid, true), tt.link == root || tt.link == tt.uid; got != want {
			t.Errorf("%s, strictly: %v, want %v", tt.name, got, want)
		}
	}
}
