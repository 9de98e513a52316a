package content_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"psync/internal/content"
	"psync/internal/vfs"
)

// TestContinue believes what a file has, but for a gap that requests leave which have overtaken others.
func TestContinue(t *testing.T) {
	const mib = 1 << 20
	all := bytes.Repeat([]byte("data"), 5*mib)
	for name, tt := range map[string]struct{ far, gap, dense, whole bool }{
		"here":                        {},
		"on another host":             {far: true},
		"on another host, with a gap": {far: true, gap: true, whole: true},
		"on another host that reports no holes, with a gap": {far: true, gap: true, dense: true, whole: true},
		"here, with zeros of its own":                       {gap: true},
	} {
		path := t.TempDir()
		if err := os.WriteFile(filepath.Join(path, "src"), all, 0o666); err != nil {
			t.Fatal(err)
		}
		d := openLocal(t, path)
		src, err := d.OpenFile("src", vfs.ReadOnly, 0)
		if err != nil {
			t.Fatal(err)
		}
		dst := create(t, d, "dst")
		_, err = dst.WriteAt([]byte("DATA"), 0) // which is older than the last window
		if err == nil && !tt.gap {
			_, err = dst.WriteAt(all[4:12*mib], 4)
		} else if err == nil {
			_, err = dst.WriteAt([]byte("data"), 12*mib-4)
		}
		if err != nil {
			t.Fatal(err)
		}
		copied := int64(0)
		c := content.Copier{Progress: func(n int64) { copied += n }}
		attr, err := vfs.Stat(src)
		if tt.dense {
			dst = denseFile{dst}
		}
		if err == nil {
			err = c.Continue(t.Context(), dst, src, attr, 12*mib, tt.far, new(content.Route))
		}
		_ = src.Close()
		if err := vfs.JoinErrors(err, dst.Close()); err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(filepath.Join(path, "dst"))
		want := 12 * mib
		if tt.whole {
			want = 4 * mib
		}
		if err != nil || len(got) != len(all) || !bytes.Equal(got[want:], all[want:]) || !bytes.HasPrefix(got, []byte("DATA")) || copied != int64(len(all)) {
			t.Errorf("%s: %d bytes, %d reported, %v", name, len(got), copied, err)
		}
		if tt.gap && !tt.far && got[8*mib] != 0 {
			t.Errorf("%s: what is there was copied again", name)
		}
	}
}

// A denseFile is a file that does not report its holes.
type denseFile struct{ vfs.File }

func (denseFile) NextData(int64) (start, end int64, err error) { return 0, 0, errors.ErrUnsupported }

// TestContinueEndsLast has a file on another host get its size when all the rest has arrived.
func TestContinueEndsLast(t *testing.T) {
	for _, size := range []int64{1, 100 << 10, 1<<20 + 1, 9 << 20} {
		path := t.TempDir()
		if err := os.WriteFile(filepath.Join(path, "src"), bytes.Repeat([]byte("x"), int(size)), 0o666); err != nil {
			t.Fatal(err)
		}
		d := openLocal(t, path)
		src, err := d.OpenFile("src", vfs.ReadOnly, 0)
		if err != nil {
			t.Fatal(err)
		}
		attr, err := vfs.Stat(src)
		if err != nil {
			t.Fatal(err)
		}
		dst := &asyncFile{File: create(t, d, "dst"), size: size}
		c := content.Copier{Progress: func(int64) {}}
		if err := c.Continue(t.Context(), dst, src, attr, 0, true, new(content.Route)); err != nil || dst.early || dst.awaited != size {
			t.Errorf("%d bytes: complete before all has arrived: %v; %d awaited, %v", size, dst.early, dst.awaited, err)
		}
		_, _ = src.Close(), dst.Close()
	}
}

// An asyncFile is a file whose data arrives in any order before it is truncated.
type asyncFile struct {
	vfs.File
	size, awaited int64
	unawaited     int  // writes
	early         bool // it may have got its size while other data was under way
}

func (*asyncFile) Caps() vfs.Caps { return 0 }

func (f *asyncFile) WriteAt(p []byte, off int64) (int, error) {
	f.early = f.early || off+int64(len(p)) == f.size && f.unawaited > 0
	f.unawaited++
	return f.File.WriteAt(p, off)
}

func (f *asyncFile) Truncate(size int64) error {
	f.awaited, f.unawaited = size, 0
	return f.File.Truncate(size)
}
