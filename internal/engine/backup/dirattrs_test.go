package backup

import (
	"io/fs"
	"testing"
)

func TestDirMode(t *testing.T) {
	tests := []struct {
		mode                 fs.FileMode
		sameOwner, sameGroup bool
		want                 fs.FileMode
	}{
		{fs.ModeDir | 0o755, true, true, fs.ModeDir | 0o755},
		{fs.ModeDir | fs.ModeSetgid | 0o2775&0o777, true, true, fs.ModeDir | fs.ModeSetgid | 0o775},
		{fs.ModeDir | fs.ModeSetgid | 0o770, true, false, fs.ModeDir | 0o700},
		{fs.ModeDir | 0o775, true, false, fs.ModeDir | 0o755},
		{fs.ModeDir | 0o705, true, false, fs.ModeDir | 0o705},
		{fs.ModeDir | 0o750, false, true, fs.ModeDir | 0o750},
		{fs.ModeDir | 0o050, false, false, fs.ModeDir | 0o700},
		{fs.ModeDir | fs.ModeSticky | 0o777, false, false, fs.ModeDir | fs.ModeSticky | 0o777},
	}
	for _, tt := range tests {
		if got := dirMode(tt.mode, tt.sameOwner, tt.sameGroup); got != tt.want {
			t.Errorf("%v, same owner %v, same group %v: %v, want %v", tt.mode, tt.sameOwner, tt.sameGroup, got, tt.want)
		}
	}
}
