package sys

import (
	"math"
	"os"
	"testing"

	"psync/internal/vfs"
)

func TestRoomOfFileSystems(t *testing.T) {
	for _, c := range []struct {
		name        string
		free, block int64
		inodes      uint64
		unused      int64
		want        vfs.Space
	}{
		{"ext4", 1000, 4096, 65536, 60000, vfs.Space{Free: 4096000, BlockSize: 4096, Inodes: 60000, LimitsInodes: true}},
		{"no inodes left", 1000, 4096, 65536, 0, vfs.Space{Free: 4096000, BlockSize: 4096, LimitsInodes: true}},
		{"Btrfs", 1000, 4096, 0, 0, vfs.Space{Free: 4096000, BlockSize: 4096}},
		{"as many as there could be", 1, 512, math.MaxUint64, -1, vfs.Space{Free: 512, BlockSize: 512}},
		{"the reserve is in use", -5, 4096, 100, 10, vfs.Space{BlockSize: 4096, Inodes: 10, LimitsInodes: true}},
		{"endless", math.MaxInt64, 4096, 0, 0, vfs.Space{Free: math.MaxInt64, BlockSize: 4096}},
	} {
		if got := *newSpace(c.free, c.block, c.inodes, c.unused); got != c.want {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
}

func TestSpaceOfADirectory(t *testing.T) {
	dir, err := os.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer dir.Close()
	v, err := Statfs(int(dir.Fd()))
	if s := v.Space; err != nil || s == nil || s.BlockSize < 1 || s.Free < 0 {
		t.Errorf("%+v, %v", s, err)
	}
}
