package survey

import (
	"sync/atomic"

	"psync/internal/vfs"
)

// Totals are how much there is in the source, and how much the destination needs for it.
type Totals struct {
	Entries, Directories, Files int64
	Bytes                       int64 // the sizes of files
	Allocated                   int64 // bytes that the source has allocated for files
	NeedBytes                   int64 // that a copy takes in whole blocks of the destination, with holes where it keeps them
	NeedInodes                  int64
}

// totals are counted by several workers.
type totals struct {
	entries, directories, files, bytes, allocated, needBytes atomic.Int64

	// inodes is counted in parts: an entry of n names is found n times.
	inodes atomic.Int64
}

// parts is what an inode is counted as.
const parts = 1 << 20

// count counts an entry.
func (t *totals) count(a vfs.Attr) {
	t.entries.Add(1)
	switch {
	case a.Mode.IsDir():
		t.directories.Add(1)
	case a.Mode.IsRegular():
		t.files.Add(1)
		t.bytes.Add(a.Size / names64(a))
		t.allocated.Add(a.Blocks * 512 / names64(a))
	}
}

// names64 returns how many names an entry has.
func names64(a vfs.Attr) int64 {
	if a.Mode.IsDir() {
		return 1
	}
	return max(int64(a.Nlink), 1)
}

// need counts what the copy of an entry takes.
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
		Entries: t.entries.Load(), Directories: t.directories.Load(), Files: t.files.Load(),
		Bytes: t.bytes.Load(), Allocated: t.allocated.Load(), NeedBytes: t.needBytes.Load(),
		NeedInodes: (t.inodes.Load() + parts/2) / parts,
	}
}
