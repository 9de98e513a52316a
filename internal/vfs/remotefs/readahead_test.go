package remotefs

import (
	"bytes"
	"encoding/binary"
	"sync"
	"sync/atomic"
	"testing"

	"psync/internal/vfs"
	"psync/internal/wire"
)

// bytesAt returns n bytes at off of a file in which each group of eight holds its offset.
func bytesAt(off int64, n int) []byte {
	var data []byte
	for at := off / 8 * 8; at < off+int64(n); at += 8 {
		data = binary.LittleEndian.AppendUint64(data, uint64(at))
	}
	return data[off%8:][:n]
}

// openOfOffsets opens a file of so many bytes for reading in order. asked counts the requests for each byte at the
// start of which one begins, and read the bytes that were asked for.
func openOfOffsets(t *testing.T, size int64) (h *Host, f vfs.File, asked map[int64]int, read *atomic.Int64) {
	t.Helper()
	var mu sync.Mutex
	asked, read = make(map[int64]int), new(atomic.Int64)
	h = newScripted(t, func(m wire.Message) []wire.Message {
		switch m := m.(type) {
		case *wire.Get:
			return []wire.Message{&wire.Got{Attr: vfs.Attr{Size: size}}}
		case *wire.Read:
			mu.Lock()
			defer mu.Unlock()
			asked[m.Off]++
			read.Add(int64(m.N))
			return []wire.Message{&wire.Data{Data: bytesAt(m.Off, int(m.N))}}
		}
		return nil
	})
	f, err := openDir(t, h, "/").OpenFile("f", vfs.ReadOnly, 0)
	must(t, err)
	must(t, f.Advise(vfs.Sequential))
	return h, f, asked, read
}

// TestReadAheadOfSeveralReaders has each of three read ranges of a file in steps of its own, and finds nothing that
// was asked for twice.
func TestReadAheadOfSeveralReaders(t *testing.T) {
	const size, step = 100*piece + 77, 10 * piece
	h, f, asked, read := openOfOffsets(t, size)
	ranges := make(chan int64, size/step+1)
	for off := int64(0); off < size; off += step {
		ranges <- off
	}
	close(ranges)
	var readers sync.WaitGroup
	for _, n := range []int{piece / 2, 4 * piece, 100_000} {
		readers.Go(func() {
			for off := range ranges {
				for end := min(off+step, size); off < end; {
					p := make([]byte, min(int64(n), end-off))
					if m, err := f.ReadAt(p, off); m != len(p) || err != nil || !bytes.Equal(p, bytesAt(off, len(p))) {
						t.Errorf("%d bytes at %d: %d, %v, or other bytes", len(p), off, m, err)
					}
					off += int64(len(p))
				}
			}
		})
	}
	readers.Wait()
	for off, n := range asked {
		if n > 1 {
			t.Errorf("what lies at %d was asked for %d times", off, n)
		}
	}
	if n := read.Load(); n != size {
		t.Errorf("%d bytes were asked for, of %d", n, size)
	}
	if n := h.s.unread.Load(); n != 0 {
		t.Errorf("%d bytes unread", n)
	}
	must(t, f.Close())
}

// TestReadAheadOfJumps reads one byte of many places, and the same once more.
func TestReadAheadOfJumps(t *testing.T) {
	const size = 1000 * piece
	h, f, _, read := openOfOffsets(t, size)
	for range 2 {
		for off := int64(0); off < size; off += 20 * piece {
			p := make([]byte, 1)
			if _, err := f.ReadAt(p, off); err != nil || p[0] != bytesAt(off, 1)[0] {
				t.Fatalf("at %d: %d, %v", off, p[0], err)
			}
		}
	}
	if n, m := h.s.unread.Load(), read.Load(); n > mostUnread || m > 50*6*piece {
		t.Errorf("%d bytes unread, %d asked for", n, m)
	}
	must(t, f.Close())
	if n := h.s.unread.Load(); n != 0 {
		t.Errorf("%d bytes unread after all", n)
	}
}
