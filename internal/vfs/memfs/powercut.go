package memfs

import (
	"bytes"
	"math/rand/v2"

	"psync/internal/vfs/memfs/kernel"
)

// NewVolatile returns an FS that [FS.PowerCut] can take unsynced contents from.
func NewVolatile() *FS {
	m := New()
	m.disks = make(map[*kernel.Inode]*disk)
	return m
}

// A disk is what a power cut would leave of a file.
type disk struct {
	data     []byte
	unsynced []span // what was written since, in the order of the writes
}

// A span is a range of bytes that were written one after the other.
type span struct{ off, end int64 }

// wrote records that bytes were written that are not on the disk.
func (d *disk) wrote(off, end int64) {
	if last := len(d.unsynced) - 1; last >= 0 && d.unsynced[last].end == off {
		d.unsynced[last].end = end
		return
	}
	d.unsynced = append(d.unsynced, span{off, end})
}

// resize sets the length, which is on the disk at once, like everything except contents.
func (d *disk) resize(size int64) {
	if n := int64(len(d.data)); size > n {
		d.data = append(d.data, make([]byte, size-n)...)
	}
	d.data = d.data[:size]
	for i := range d.unsynced {
		s := &d.unsynced[i]
		s.off, s.end = min(s.off, size), min(s.end, size)
	}
}

// disk returns what a power cut would leave of a file, or nil if it would leave everything.
func (m *FS) disk(n *kernel.Inode) *disk {
	if m.disks != nil && m.disks[n] == nil {
		m.disks[n] = new(disk)
	}
	return m.disks[n]
}

// sync puts the contents of a file on its disk.
func (m *FS) sync(n *kernel.Inode) {
	if d := m.disk(n); d != nil {
		*d = disk{data: bytes.Clone(n.Data)}
	}
}

// eachFile calls f with the regular files of a directory and of those below it.
func (m *FS) eachFile(dir *kernel.Inode, f func(*kernel.Inode)) {
	for _, n := range dir.Entries.All() {
		switch {
		case n.Mode.IsRegular():
			f(n)
		case n.Mode.IsDir():
			m.eachFile(n, f)
		}
	}
}

// PowerCut leaves of each file what a journaling file system may show after a power cut: all names, lengths that were
// set, times and other attributes, but only some of what was written since the file was synced. A sequential write
// survives from its start on, and the file is as long as what has survived unless its length was set.
func (m *FS) PowerCut(r *rand.Rand) {
	m.mu.Lock()
	defer m.mu.Unlock()
	seen := make(map[*kernel.Inode]bool)
	m.eachFile(m.root, func(n *kernel.Inode) {
		if !seen[n] {
			n.Data = m.disk(n).leftOf(n.Data, r)
			m.sync(n)
		}
		seen[n] = true
	})
}

// leftOf returns what is left of data.
func (d *disk) leftOf(data []byte, r *rand.Rand) []byte {
	left := bytes.Clone(d.data)
	for _, s := range d.unsynced {
		end := s.end
		switch r.IntN(3) {
		case 0:
			continue
		case 1:
			end = s.off + r.Int64N(s.end-s.off+1)
		}
		if n := int64(len(left)); end > n && end > s.off {
			left = append(left, make([]byte, end-n)...)
		}
		copy(left[min(s.off, int64(len(left))):], data[s.off:end])
	}
	return left
}

// Sync makes the contents survive a power cut.
func (f *memFile) Sync() error {
	return f.do("fsync", f.name, func() error {
		f.m.sync(f.node)
		return nil
	})
}

// SyncVolume does the same for all files.
func (d *memDir) SyncVolume() error {
	return d.do("sync", ".", func() error {
		d.m.eachFile(d.m.root, d.m.sync)
		return nil
	})
}
