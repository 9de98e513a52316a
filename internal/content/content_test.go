package content_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"

	"psync/internal/content"
	"psync/internal/localfs"
	"psync/internal/vfs"
	"psync/internal/vfs/faultfs"
	"psync/internal/vfs/memfs"
)

// A trial is a file in memory whose abilities can be made to fail.
type trial struct {
	vfs.File
	clone     error
	copyRange func(off, n int64) (int64, error) // the result of the kernel's copy; plain moves the bytes
	cloned    int
	ranged    int64 // atomic
}

func (f *trial) Caps() vfs.Caps { return f.File.Caps() | vfs.CanClone | vfs.CanCopyRange }

func (f *trial) Clone(src vfs.File) error {
	f.cloned++
	if f.clone != nil {
		return f.clone
	}
	return plain(f.File, src, 0, 1<<30)
}

func (f *trial) CopyRange(src vfs.File, off, n int64) (int64, error) {
	atomic.AddInt64(&f.ranged, 1)
	n, err := f.copyRange(off, n)
	if n > 0 {
		if perr := plain(f.File, src, off, n); perr != nil {
			return 0, perr
		}
	}
	return n, err
}

// plain copies without using the ways under test.
func plain(dst, src vfs.File, off, n int64) error {
	data, err := io.ReadAll(io.NewSectionReader(src, off, n))
	if err != nil {
		return err
	}
	_, err = dst.WriteAt(data, off)
	return err
}

func TestEachWayTakesOverWhereTheLastOneStopped(t *testing.T) {
	withHelpers(t, testEachWayTakesOverWhereTheLastOneStopped)
}

func testEachWayTakesOverWhereTheLastOneStopped(t *testing.T, helpers helpers) {
	const mib = 1 << 20
	unsupported := func(int64, int64) (int64, error) { return 0, errors.ErrUnsupported }
	all := func(_, n int64) (int64, error) { return n, nil }
	tests := []struct {
		name      string
		size      int
		clone     error
		copyRange func(off, n int64) (int64, error)
		cloned    int // calls in three copies on one route
		ranged    int64
	}{
		{"empty", 0, nil, all, 0, 0},
		{"clone works", 3 * mib, nil, all, 3, 0},
		{"clone refused, remembered", 3 * mib, errors.ErrUnsupported, all, 1, 3},
		{"clone broken, not remembered", 3 * mib, errors.New("broken"), all, 3, 3},
		{"small files go through the buffer", 1000, errors.ErrUnsupported, all, 1, 0},
		{"neither works", 3 * mib, errors.ErrUnsupported, unsupported, 1, 1},
		{"range copy stops half way", 3 * mib, errors.ErrUnsupported, func(off, n int64) (int64, error) {
			if off >= mib {
				return 0, errors.New("no more")
			}
			return min(n, mib/2), nil
		}, 1, 9},
		{"range copy says nothing is left", 3 * mib, errors.ErrUnsupported, func(int64, int64) (int64, error) { return 0, nil }, 1, 3},
		{"range copy works once, then is unsupported", 3 * mib, errors.ErrUnsupported, func(off, n int64) (int64, error) {
			if off == 0 {
				return 1000, nil
			}
			return 0, errors.ErrUnsupported
		}, 1, 6},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var routes content.Routes
			route := routes.Between(content.Device{Dev: 1}, content.Device{Dev: 2})
			cloned, ranged := 0, int64(0)
			for range 3 {
				root := memfs.New().Root()
				want := random(tt.size)
				src := write(t, root, "src", want)
				dst := &trial{File: create(t, root, "dst"), clone: tt.clone, copyRange: tt.copyRange}
				moved := int64(0)
				c := helpers.copier(t, content.Copier{Progress: func(n int64) { moved += n }})
				if err := c.Copy(t.Context(), dst, src, stat(t, src), route); err != nil {
					t.Fatal(err)
				}
				if got := read(t, root, "dst"); !bytes.Equal(got, want) {
					t.Fatalf("the copy differs: %d bytes, want %d", len(got), len(want))
				}
				if moved != int64(tt.size) {
					t.Errorf("progress reported %d bytes, want %d", moved, tt.size)
				}
				cloned += dst.cloned
				ranged += dst.ranged
			}
			if helpers > 0 { // each call then copies one range
				ranged = tt.ranged
			}
			if cloned != tt.cloned || ranged != tt.ranged {
				t.Errorf("%d clones and %d range copies, want %d and %d", cloned, ranged, tt.cloned, tt.ranged)
			}
		})
	}
}

func TestSourceThatShrinksIsDistinguished(t *testing.T) {
	withHelpers(t, testSourceThatShrinksIsDistinguished)
}

func testSourceThatShrinksIsDistinguished(t *testing.T, helpers helpers) {
	root := memfs.New().Root()
	src := write(t, root, "src", random(1000))
	attr := stat(t, src)
	attr.Size, attr.Blocks = 5000, 10
	c := helpers.copier(t, content.Copier{Progress: func(int64) {}})
	var routes content.Routes
	err := c.Copy(t.Context(), create(t, root, "dst"), src, attr, routes.Between(content.Device{}, content.Device{}))
	var read *content.ReadError
	if !errors.Is(err, content.ErrChanged) || !errors.As(err, &read) {
		t.Errorf("Copy = %v, want a ReadError of ErrChanged", err)
	}
}

// TestSparseSourceThatShrinks truncates a file after its size was read: what is
// missing must not be taken for a hole.
func TestSparseSourceThatShrinks(t *testing.T) { withHelpers(t, testSparseSourceThatShrinks) }

func testSparseSourceThatShrinks(t *testing.T, helpers helpers) {
	root := openLocal(t, t.TempDir())
	src := write(t, root, "src", random(4096))
	attr := stat(t, src)
	attr.Size, attr.Blocks = 1<<20, 8
	c := helpers.copier(t, content.Copier{Progress: func(int64) {}})
	var routes content.Routes
	err := c.Copy(t.Context(), create(t, root, "dst"), src, attr, routes.Between(content.Device{}, content.Device{}))
	if !errors.Is(err, content.ErrChanged) {
		t.Errorf("Copy = %v, want ErrChanged", err)
	}
}

func TestSourceThatShrinksBeforeItIsCloned(t *testing.T) {
	withHelpers(t, testSourceThatShrinksBeforeItIsCloned)
}

func testSourceThatShrinksBeforeItIsCloned(t *testing.T, helpers helpers) {
	root := memfs.New().Root()
	src := write(t, root, "src", random(1000))
	attr := stat(t, src)
	attr.Size = 5000
	c := helpers.copier(t, content.Copier{Progress: func(int64) {}})
	var routes content.Routes
	err := c.Copy(t.Context(), &trial{File: create(t, root, "dst")}, src, attr, routes.Between(content.Device{}, content.Device{}))
	if !errors.Is(err, content.ErrChanged) {
		t.Errorf("Copy = %v, want ErrChanged", err)
	}
}

// TestFileThatIsShorterThanItsSize copies a file like those of /sys: its size is a page, but only a few bytes
// can be read.
func TestFileThatIsShorterThanItsSize(t *testing.T) { withHelpers(t, testFileThatIsShorterThanItsSize) }

func testFileThatIsShorterThanItsSize(t *testing.T, helpers helpers) {
	root := memfs.New().Root()
	src := pseudo{write(t, root, "src", random(5))}
	c := helpers.copier(t, content.Copier{Progress: func(int64) {}})
	var routes content.Routes
	err := c.Copy(t.Context(), create(t, root, "dst"), src, stat(t, src), routes.Between(content.Device{}, content.Device{}))
	if got := read(t, root, "dst"); err != nil || !bytes.Equal(got, random(5)) {
		t.Errorf("Copy = %v, %q", err, got)
	}
}

type pseudo struct{ vfs.File }

func (p pseudo) Statx(want vfs.StatxWant) (vfs.Attr, error) {
	attr, err := p.File.Statx(want)
	attr.Size, attr.Blocks = 4096, 8
	return attr, err
}

func TestErrorsNameTheirSide(t *testing.T) { withHelpers(t, testErrorsNameTheirSide) }

func testErrorsNameTheirSide(t *testing.T, helpers helpers) {
	broken := errors.New("broken")
	for _, op := range []string{"read", "write"} {
		hook := func(o, _ string) error {
			if o == op {
				return broken
			}
			return nil
		}
		root := memfs.New().Root()
		write(t, root, "src", random(1000))
		faulty := faultfs.New(root, hook)
		src, err := faulty.OpenFile("src", vfs.ReadOnly, 0)
		if err != nil {
			t.Fatal(err)
		}
		c := helpers.copier(t, content.Copier{Progress: func(int64) {}})
		var routes content.Routes
		err = c.Copy(t.Context(), create(t, faulty, "dst"), src, stat(t, src), routes.Between(content.Device{}, content.Device{}))
		var read *content.ReadError
		if !errors.Is(err, broken) || errors.As(err, &read) != (op == "read") {
			t.Errorf("%s fails: %v", op, err)
		}
	}
}

func TestCancelledCopyStops(t *testing.T) { withHelpers(t, testCancelledCopyStops) }

func testCancelledCopyStops(t *testing.T, helpers helpers) {
	why := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	root := memfs.New().Root()
	src := write(t, root, "src", random(3<<20))
	c := helpers.copier(t, content.Copier{Progress: func(int64) { cancel(why) }})
	var routes content.Routes
	err := c.Copy(ctx, create(t, root, "dst"), src, stat(t, src), routes.Between(content.Device{}, content.Device{}))
	if err != why {
		t.Errorf("Copy = %v, want the cause of the context", err)
	}
	if n := len(read(t, root, "dst")); n == 0 || n == 3<<20 {
		t.Errorf("%d bytes were copied, want a part", n)
	}
}

// TestHolesStayHoles copies a file of 64 GiB with data at three places.
func TestHolesStayHoles(t *testing.T) { withHelpers(t, testHolesStayHoles) }

func testHolesStayHoles(t *testing.T, helpers helpers) {
	dir := t.TempDir()
	const size = 64 << 30
	f, err := os.Create(filepath.Join(dir, "src"))
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Truncate(size); err != nil {
		t.Skipf("no sparse files here: %v", err)
	}
	for _, off := range []int64{0, 1 << 30, size - 5} {
		if _, err := f.WriteAt([]byte("hello"), off); err != nil {
			t.Fatal(err)
		}
	}
	f.Close()

	root := openLocal(t, dir)
	src, err := root.OpenFile("src", vfs.ReadOnly, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	attr := stat(t, src)
	if attr.Blocks*512 >= size {
		t.Skip("no sparse files here")
	}
	if _, _, err := src.NextData(0); err != nil {
		t.Skipf("holes cannot be found here: %v", err)
	}
	dst := create(t, root, "dst")
	defer dst.Close()
	moved := int64(0)
	c := helpers.copier(t, content.Copier{Progress: func(n int64) { moved += n }})
	var routes content.Routes
	if err := c.Copy(t.Context(), dst, src, attr, routes.Between(content.Device{Dev: attr.Dev}, content.Device{Dev: attr.Dev})); err != nil {
		t.Fatal(err)
	}
	made := stat(t, dst)
	if made.Size != size || made.Blocks > attr.Blocks+64 {
		t.Errorf("size %d and %d blocks, want %d and about %d", made.Size, made.Blocks, int64(size), attr.Blocks)
	}
	if moved != size {
		t.Errorf("progress reported %d bytes, want %d", moved, int64(size))
	}
	got := make([]byte, 5)
	check, err := root.OpenFile("dst", vfs.ReadOnly, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer check.Close()
	for _, off := range []int64{0, 1 << 30, size - 5} {
		if _, err := check.ReadAt(got, off); err != nil || string(got) != "hello" {
			t.Errorf("at %d: %q, %v", off, got, err)
		}
	}
}

// FuzzExtents copies files with data and holes anywhere, even at places other than the system reports.
func FuzzExtents(f *testing.F) {
	f.Add(uint64(1), uint16(5), uint32(100_000))
	f.Add(uint64(2), uint16(0), uint32(1<<20))
	f.Add(uint64(3), uint16(40), uint32(3<<20))
	f.Fuzz(func(t *testing.T, seed uint64, pieces uint16, size uint32) {
		size %= 8 << 20
		dir := t.TempDir()
		path := filepath.Join(dir, "src")
		r := rand.New(rand.NewPCG(seed, 1))
		file, err := os.Create(path)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		if err := file.Truncate(int64(size)); err != nil {
			t.Fatal(err)
		}
		for range pieces % 64 {
			if size == 0 {
				break
			}
			off := r.Uint32N(size)
			if _, err := file.WriteAt(random(int(min(r.Uint32N(100_000), size-off))), int64(off)); err != nil {
				t.Fatal(err)
			}
		}
		root := openLocal(t, dir)
		src, err := root.OpenFile("src", vfs.ReadOnly, 0)
		if err != nil {
			t.Fatal(err)
		}
		defer src.Close()
		dst := create(t, root, "dst")
		c := content.Copier{Progress: func(int64) {}}
		var routes content.Routes
		if err := c.Copy(t.Context(), dst, src, stat(t, src), routes.Between(content.Device{Dev: 1}, content.Device{Dev: 1})); err != nil {
			t.Fatal(err)
		}
		dst.Close()
		want, _ := os.ReadFile(path)
		got, _ := os.ReadFile(filepath.Join(dir, "dst"))
		if !bytes.Equal(got, want) {
			t.Error("the copy differs")
		}
	})
}

func BenchmarkCopy(b *testing.B) {
	for _, bench := range []struct {
		name string
		size int
	}{{"4KiB", 4 << 10}, {"256KiB", 256 << 10}, {"64MiB", 64 << 20}} {
		b.Run(bench.name, func(b *testing.B) {
			root := openLocal(b, b.TempDir())
			src := write(b, root, "src", random(bench.size))
			attr := stat(b, src)
			var routes content.Routes
			route := routes.Between(content.Device{Dev: 1}, content.Device{Dev: 1})
			c := content.Copier{Progress: func(int64) {}}
			b.SetBytes(int64(bench.size))
			b.ReportAllocs()
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

func random(n int) []byte {
	b := make([]byte, n)
	_, _ = rand.NewChaCha8([32]byte{byte(n)}).Read(b)
	return b
}

func openLocal(t testing.TB, path string) vfs.Dir {
	t.Helper()
	d, err := localfs.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	return d
}

func create(t testing.TB, d vfs.Dir, name string) vfs.File {
	t.Helper()
	f, err := d.OpenFile(name, vfs.Create, 0o644)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// write makes a file and opens it for reading.
func write(t testing.TB, d vfs.Dir, name string, data []byte) vfs.File {
	t.Helper()
	f := create(t, d, name)
	if _, err := f.WriteAt(data, 0); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	src, err := d.OpenFile(name, vfs.ReadOnly, 0)
	if err != nil {
		t.Fatal(err)
	}
	return src
}

func read(t testing.TB, d vfs.Dir, name string) []byte {
	t.Helper()
	f, err := d.OpenFile(name, vfs.ReadOnly, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var data bytes.Buffer
	data.Grow(int(stat(t, f).Size) + bytes.MinRead) // or it grows, and is copied, some ten times
	if _, err := data.ReadFrom(io.NewSectionReader(f, 0, 1<<40)); err != nil {
		t.Fatal(err)
	}
	return data.Bytes()
}

func stat(t testing.TB, f vfs.File) vfs.Attr {
	t.Helper()
	attr, err := vfs.Stat(f)
	if err != nil {
		t.Fatal(err)
	}
	return attr
}
