package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"runtime"

	"golang.org/x/sys/unix"
)

// contents returns the size of a file and a short checksum of its contents.
func (l *lister) contents(dirfd int, name string, st *unix.Stat_t) (string, error) {
	size := fmt.Sprintf(" %d", st.Size)
	if l.noData {
		return size, nil
	}
	id := [2]uint64{uint64(st.Dev), st.Ino}
	if sum, known := l.sums[id]; known {
		return size + sum, nil
	}
	fd, err := unix.Openat(dirfd, name, unix.O_RDONLY|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
	if err != nil {
		return size, err
	}
	f := os.NewFile(uintptr(fd), name)
	defer f.Close()
	h, err := sumOf(f, st.Size)
	sum := fmt.Sprintf(":%x", h[:6])
	if err == nil && st.Nlink > 1 {
		l.sums[id] = sum
	}
	return size + sum, err
}

// sumOf returns a checksum of the non-zero blocks of a file and their positions. So it need not read holes,
// and does not depend on them.
func sumOf(f *os.File, size int64) (sum [sha256.Size]byte, err error) {
	h := sha256.New()
	var block, zeros [4096]byte
	for off, end := int64(0), int64(0); off < size; off += int64(len(block)) {
		if off >= end {
			start := int64(0)
			if start, end = nextData(f, off, size); start == size {
				break
			}
			off = max(off, start&^int64(len(block)-1))
		}
		n, err := f.ReadAt(block[:], off)
		if err != nil && err != io.EOF {
			return sum, err
		}
		if data := block[:n]; !bytes.Equal(data, zeros[:n]) {
			h.Write(binary.BigEndian.AppendUint64(nil, uint64(off)))
			h.Write(data)
		}
	}
	return [sha256.Size]byte(h.Sum(nil)), nil
}

// nextData returns the next part of a file that is not a hole, as far as the system is known to report holes
// correctly.
func nextData(f *os.File, off, size int64) (start, end int64) {
	if runtime.GOOS != "linux" {
		return off, size
	}
	start, err := f.Seek(off, unix.SEEK_DATA)
	if err != nil {
		return size, size // nothing but a hole
	}
	end, err = f.Seek(start, unix.SEEK_HOLE)
	if err != nil {
		return start, size
	}
	return start, end
}
