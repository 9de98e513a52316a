package sys

import (
	"math"

	"psync/internal/vfs"
)

// newSpace returns the free space of a file system. File systems that allocate inodes on demand report a total of 0
// inodes (Btrfs, FAT, CIFS) or as many as there could ever be. The number of free blocks is negative if the reserve is
// in use (UFS).
func newSpace(free, block int64, inodes uint64, unused int64) *vfs.Space {
	s := &vfs.Space{BlockSize: block}
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
