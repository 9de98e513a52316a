package run

import "testing"

func TestFit(t *testing.T) {
	tests := []struct{ workers, limit, want, dirs int }{
		{16, 1 << 20, 16, openDirs},
		{1024, 1 << 20, 1024, openDirs},
		{16, 1024, 16, openDirs},
		{64, 1024, 64, openDirs},
		{16, 256, 16, fewDirs},
		{1024, 1024, 144, fewDirs},
		{16, 160, 1, fewDirs},
		{16, 60, 1, fewDirs},
		{16, 36, 1, 4},
		{16, 24, 1, 1},
	}
	for _, tt := range tests {
		if got, dirs := fit(tt.workers, 0, tt.limit); got != tt.want || dirs != tt.dirs {
			t.Errorf("fit(%d, %d) = %d, %d, want %d, %d", tt.workers, tt.limit, got, dirs, tt.want, tt.dirs)
		}
	}
}
