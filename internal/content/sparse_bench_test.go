package content_test

import (
	"fmt"
	"testing"

	"psync/internal/content"
	"psync/internal/vfs"
)

func BenchmarkSparseCopy(b *testing.B) {
	const size = 64 << 20
	shredded := random(size)
	for off := 0; off < size; off += 8 * kib {
		clear(shredded[off : off+4*kib])
	}
	half := random(size)
	clear(half[size/4 : size/4*3])
	for _, bench := range []struct {
		name string
		data []byte
	}{{"dense", random(size)}, {"half", half}, {"shredded", shredded}, {"zeros", make([]byte, size)}} {
		for _, sparse := range []bool{false, true} {
			b.Run(fmt.Sprintf("%s/sparse=%v", bench.name, sparse), func(b *testing.B) {
				root := openLocal(b, b.TempDir())
				src := write(b, root, "src", bench.data)
				defer src.Close()
				attr := dense(stat(b, src))
				route := between()
				c := content.Copier{Options: content.Options{Sparse: sparse}, Progress: func(int64) {}}
				b.SetBytes(size)
				for b.Loop() {
					dst := create(b, root, "dst")
					if err := c.Copy(b.Context(), dst, src, attr, route); err != nil {
						b.Fatal(err)
					}
					dst.Close()
					if err := root.Remove("dst", nil); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// BenchmarkZeros copies zeros from and to memory, so that it measures only the search for zeros.
func BenchmarkZeros(b *testing.B) {
	src := zeroFile{size: 1 << 30}
	c := content.Copier{Options: content.Options{Sparse: true}, Progress: func(int64) {}}
	route := between()
	b.SetBytes(src.size)
	for b.Loop() {
		if err := c.Copy(b.Context(), &lengthFile{}, src, vfs.Attr{Size: src.size, Blocks: src.size}, route); err != nil {
			b.Fatal(err)
		}
	}
}

// zeroFile reads as zeros if the buffer for the read was zero.
type zeroFile struct {
	bareFile
	size int64
}

func (zeroFile) ReadAt(p []byte, _ int64) (int, error) { return len(p), nil }
