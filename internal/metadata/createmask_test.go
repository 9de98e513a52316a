package metadata

import (
	"io/fs"
	"testing"
)

func TestCreationIsLearntBitByBit(t *testing.T) {
	tests := []struct {
		name   string
		server func(perm fs.FileMode) fs.FileMode
	}{
		{"exact", func(perm fs.FileMode) fs.FileMode { return perm }},
		{"umask of a FUSE server", func(perm fs.FileMode) fs.FileMode { return perm &^ 0o022 }},
		{"force create mode", func(perm fs.FileMode) fs.FileMode { return perm&^0o002 | 0o440 }},
		{"one mode for all", func(fs.FileMode) fs.FileMode { return 0o755 }},
		{"read-only or not", func(perm fs.FileMode) fs.FileMode { return 0o555 | perm&0o200 }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var c CreateMask
			looks := 0
			for perm := range fs.FileMode(0o1000) {
				if !c.Knows(perm) {
					looks++
					c.Learn(perm, tt.server(perm))
				}
				if got, want := c.Apply(perm), tt.server(perm); got != want {
					t.Fatalf("%04o becomes %04o, want %04o", perm, got, want)
				}
			}
			if looks > 10 {
				t.Errorf("%d looks", looks)
			}
		})
	}
}
