package sys

import (
	"cmp"

	"golang.org/x/sys/unix"

	"psync/internal/vfs"
)

// spaceOf returns the free space of a file system. It is unknown for one without blocks, such as ramfs.
func spaceOf(st *unix.Statfs_t) *vfs.Space {
	if st.Blocks == 0 {
		return nil
	}
	block := max(cmp.Or(int64(st.Frsize), int64(st.Bsize)), 1)
	s := newSpace(int64(st.Bavail), block, st.Files, int64(st.Ffree))
	s.Reserved = newSpace(int64(st.Bfree)-int64(st.Bavail), block, 0, 0).Free
	s.Plain = storesPlainly(uint32(st.Type))
	return s
}

// storesPlainly reports whether the file system with this magic number never compresses or deduplicates what is
// written.
func storesPlainly(magic uint32) bool {
	switch magic {
	case 0xef53, // ext2, ext3, ext4
		0x58465342, // xfs
		0x01021994, // tmpfs
		0x4d44,     // vfat, msdos
		0x2011bab0: // exfat
		return true
	}
	return false
}
