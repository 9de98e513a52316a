package sys

import (
	"math"

	"psync/internal/vfs"
)

// newSpace returns the room of a file system that has free blocks, and inodes of which unused are free. Where inodes
// are made as they are needed, there are none in all (Btrfs, FAT, CIFS), or as many as there could ever be. A file system
// whose reserve is in use has a negative number of free blocks (UFS).
func newSpace(free, block int64, inodes uint64, unused int64) vfs.Space {
	s := vfs.Space{BlockSize: block}
	if free = max(free, 0); free > math.MaxInt64/block {
		s.Free = math.MaxInt64
	} else {
		s.Free = free * block
	}
	if s.LimitsInodes = inodes > 0 && inodes < math.MaxUint32 || unused > 0 && unused < math.MaxUint32; s.LimitsInodes {
		s.Inodes = max(unused, 0)
	}
	return s
}
