package localfs

import (
	"bytes"
	"errors"
	"io"
	"testing"

	"psync/internal/vfs"
)

// TestPunchHole makes holes anywhere in a file, aligned to its blocks or not.
func TestPunchHole(t *testing.T) {
	const size = 1 << 20
	for _, tt := range []struct{ off, n int64 }{
		{0, size}, {0, 1}, {4096, 8192}, {5000, 100}, {5000, 100_000}, {size - 10, 10}, {size - 5000, 100_000}, {size, 4096},
	} {
		d := openTemp(t)
		f, err := d.OpenFile("f", vfs.Create, 0o600)
		mustDo(t, err)
		want := bytes.Repeat([]byte("data"), size/4)
		_, err = f.WriteAt(want, 0)
		mustDo(t, err, f.Close())
		f, err = d.OpenFile("f", vfs.ReadWrite, 0)
		mustDo(t, err)
		defer f.Close()
		before, err := vfs.Stat(f)
		mustDo(t, err)

		err = f.Fallocate(vfs.PunchHole, tt.off, tt.n)
		if errors.Is(err, errors.ErrUnsupported) {
			t.Skip(err)
		}
		mustDo(t, err)
		clear(want[tt.off:min(tt.off+tt.n, size)])
		got, err := io.ReadAll(io.NewSectionReader(f, 0, 2*size))
		mustDo(t, err)
		if !bytes.Equal(got, want) {
			t.Errorf("PunchHole(%d, %d): %d bytes, which are not as they should be", tt.off, tt.n, len(got))
		}
		if after, err := vfs.Stat(f); err != nil || tt.n == size && after.Blocks >= before.Blocks {
			t.Errorf("PunchHole(%d, %d): %d blocks became %d, %v", tt.off, tt.n, before.Blocks, after.Blocks, err)
		}
	}
}

func TestPunchHoleOfReadOnlyFile(t *testing.T) {
	d := openTemp(t)
	f, err := d.OpenFile("f", vfs.Create, 0o600)
	mustDo(t, err, f.Close())
	f, err = d.OpenFile("f", vfs.ReadOnly, 0)
	mustDo(t, err)
	defer f.Close()
	if err := f.Fallocate(vfs.PunchHole, 0, 4096); err == nil {
		t.Error("a hole was punched into a file opened for reading")
	}
}
