package survey

import (
	"sync/atomic"

	"psync/internal/vfs"
)

// Totals are the size of the source, and the space that it takes in the destination.
type Totals struct {
	Entries, Directories int64
	Bytes                int64 // the sizes of files
	NeedBytes            int64 // the bytes of a copy in whole blocks of the destination, without holes if it supports them
	NeedInodes           int64
}

// totals is Totals in a form that several workers can update.
type totals struct {
	entries, directories, bytes, needBytes atomic.Int64

	// inodes is counted in parts: an entry of n names is found n times.
	inodes atomic.Int64
}

// parts is how many parts an inode is counted as.
const parts = 1 << 20

// count counts an entry.
func (t *totals) count(a vfs.Attr) {
	t.entries.Add(1)
	switch {
	case a.Mode.IsDir():
		t.directories.Add(1)
	case a.Mode.IsRegular():
		t.bytes.Add(a.Size / names64(a))
	}
}

// names64 returns the number of names of an entry.
func names64(a vfs.Attr) int64 {
	if a.Mode.IsDir() {
		return 1
	}
	return max(int64(a.Nlink), 1)
}

// need counts the space that a copy of an entry takes.
func (t *totals) need(a vfs.Attr, holes bool, block int64) {
	t.inodes.Add(parts / names64(a))
	size := block // of a directory or a long link
	if a.Mode.IsRegular() {
		size = a.Size
		if holes {
			size = min(size, a.Blocks*512)
		}
		size = (size + block - 1) / block * block
	} else if !a.Mode.IsDir() {
		size = 0
	}
	t.needBytes.Add(size / names64(a))
}

func (t *totals) sum() Totals {
	return Totals{
		Entries: t.entries.Load(), Directories: t.directories.Load(),
		Bytes: t.bytes.Load(), NeedBytes: t.needBytes.Load(),
		NeedInodes: (t.inodes.Load() + parts/2) / parts,
	}
}
