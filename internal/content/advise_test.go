package content_test

import (
	"testing"

	"psync/internal/content"
	"psync/internal/vfs"
	"psync/internal/vfs/memfs"
)

// advised counts calls of Advise.
type advised struct {
	vfs.File
	n int
}

func (f *advised) Advise(a vfs.Advice) error {
	if a == vfs.Sequential {
		f.n++
	}
	return nil
}

// TestFarFilesOfSeveralReadsAreReadAhead has buffers of the largest size, and smaller ones, as many workers have.
func TestFarFilesOfSeveralReadsAreReadAhead(t *testing.T) {
	far, here := content.Device{Dev: 1, Network: true}, content.Device{Dev: 2}
	for _, tt := range []struct {
		name      string
		size      int
		maxBuffer int64
		from      content.Device
		want      int
	}{
		{"one read", 1 << 20, 0, far, 0},
		{"several", 1<<20 + 1, 0, far, 1},
		{"several into a small buffer", 300 << 10, 64 << 10, far, 1},
		{"one into a small buffer", 64 << 10, 64 << 10, far, 0},
		{"near", 4 << 20, 64 << 10, here, 0},
	} {
		root := memfs.New().Root()
		src := &advised{File: write(t, root, "src", random(tt.size))}
		var routes content.Routes
		c := content.Copier{MaxBuffer: tt.maxBuffer, Progress: func(int64) {}}
		if err := c.Copy(t.Context(), create(t, root, "dst"), src, stat(t, src), routes.Between(tt.from, here)); err != nil {
			t.Errorf("%s: %v", tt.name, err)
		}
		if src.n != tt.want {
			t.Errorf("%s: %d calls, want %d", tt.name, src.n, tt.want)
		}
	}
}
