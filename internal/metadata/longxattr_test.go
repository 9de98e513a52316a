package metadata

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io"
	"syscall"
	"testing"

	"psync/internal/report"
	"psync/internal/vfs"
	"psync/internal/vfs/memfs"
)

// A boundedFork is an entry with a resource fork that must not be read beyond its end.
type boundedFork struct {
	vfs.Node
	t *testing.T
}

func (f boundedFork) ReadXattrAt(name string, p []byte, off int64) (int, error) {
	if len(p) == 0 {
		return f.Node.ReadXattrAt(name, p, off)
	}
	if size, err := vfs.XattrSize(f, name); err != nil || off >= size || off+int64(len(p)) > size {
		f.t.Errorf("%d bytes are read at %d of %d, %v", len(p), off, size, err)
	}
	return f.Node.ReadXattrAt(name, p, off)
}

// TestForksAreReadToTheirEndOnly reads and copies forks by their size, as copyfile(3) does: the result of a
// read beyond the end depends on the volume.
func TestForksAreReadToTheirEndOnly(t *testing.T) {
	const name = "com.apple.ResourceFork"
	for _, size := range []int{piece + 1, 2 * piece, 2*piece + piece/2} {
		v := newMac(t, memfs.Mac{UID: 501, GID: 20})
		v.make(t, v.dir, "src", 0o644)
		v.make(t, v.dir, "dst", 0o644)
		src, dst := node(t, v.dir, "src"), node(t, v.dir, "dst")
		fork := bytes.Repeat([]byte("0123456"), size/7+1)[:size]
		if err := vfs.SetXattr(src, name, fork); err != nil {
			t.Fatal(err)
		}
		bounded := boundedFork{src, t}
		digest := sha256.Sum256(fork)
		if x, err := readXattr(bounded, name); err != nil || !x.Long || !bytes.Equal(x.Value, digest[:]) {
			t.Errorf("%d bytes: readXattr = %+v, %v", size, x, err)
		}
		if err := copyLongXattr(dst, bounded, name); err != nil {
			t.Error(err)
		}
		if got, err := dst.Xattr(name); err != nil || !bytes.Equal(got, fork) {
			t.Errorf("%d bytes: copied are %d, %v", size, len(got), err)
		}
	}
}

// TestForkThatEndsBeforeItsSize reads a fork that became shorter after its size was read.
func TestForkThatEndsBeforeItsSize(t *testing.T) {
	const name = "com.apple.ResourceFork"
	v := newMac(t, memfs.Mac{UID: 501, GID: 20})
	v.make(t, v.dir, "f", 0o644)
	n := node(t, v.dir, "f")
	fork := bytes.Repeat([]byte("x"), piece+1)
	if err := vfs.SetXattr(n, name, fork); err != nil {
		t.Fatal(err)
	}
	var got []byte
	err := eachPiece(n, name, 4*piece, func(p []byte, off int64) error {
		if off != int64(len(got)) {
			return io.ErrUnexpectedEOF
		}
		got = append(got, p...)
		return nil
	})
	if err != nil || !bytes.Equal(got, fork) {
		t.Errorf("read are %d bytes, %v; want %d", len(got), err, len(fork))
	}
}

// A manyXattrs is an entry with so many attributes of so many bytes each.
type manyXattrs struct {
	vfs.Node
	n    int
	size int
	read int // attributes
}

func (m *manyXattrs) Xattrs(bool) ([]string, error) {
	names := make([]string, m.n)
	for i := range names {
		names[i] = fmt.Sprint("user.", i)
	}
	return names, nil
}

func (m *manyXattrs) ReadXattrAt(string, []byte, int64) (int, error) { return m.size, nil }

func (m *manyXattrs) Xattr(string) ([]byte, error) {
	m.read++
	return make([]byte, m.size), nil
}

// TestXattrsThatAreTooLongToBeHeld reads more attributes than any file has.
func TestXattrsThatAreTooLongToBeHeld(t *testing.T) {
	for _, tt := range []struct{ n, size, most int }{
		{30, 1 << 20, 30},
		{1000, 1 << 20, 33},
		{1_000_000, 0, 400_000},
	} {
		m := &manyXattrs{n: tt.n, size: tt.size}
		s := new(State)
		err := Linux.Read(m, Keep{Xattrs: true}, s, func(report.Attr, error) { t.Error("one has failed") })
		if whole := tt.n == tt.most; whole && (err != nil || len(s.Xattrs) != tt.n || s.Unknown != 0) {
			t.Errorf("%d of %d bytes: %d, %v", tt.n, tt.size, len(s.Xattrs), err)
		} else if !whole && (err != syscall.E2BIG || s.Xattrs != nil || s.Unknown&report.Xattrs == 0 || m.read > tt.most) {
			t.Errorf("%d of %d bytes: %d were read, %v", tt.n, tt.size, m.read, err)
		}
	}
}
