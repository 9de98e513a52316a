package remotefs

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"psync/internal/vfs"
)

const benchFiles = 1000

// BenchmarkPush makes files on a server of this process.
func BenchmarkPush(b *testing.B) { benchSizes(b, benchmarkPush) }

// BenchmarkPull reads files of a server of this process.
func BenchmarkPull(b *testing.B) { benchSizes(b, benchmarkPull) }

// BenchmarkReadDir lists files of a server of this process.
func BenchmarkReadDir(b *testing.B) {
	h, dir := newHost(b), filled(b, 0)
	b.ReportAllocs()
	for b.Loop() {
		d, err := h.Open(dir, vfs.OpenOptions{})
		must(b, err)
		must(b, d.ReadDir(func(entries []vfs.Entry) error {
			for _, e := range entries {
				if e.Facts == nil {
					b.Fatalf("%s has no attributes", e.Name)
				}
			}
			return nil
		}))
		must(b, d.Close())
	}
}

func benchSizes(b *testing.B, bench func(b *testing.B, size int)) {
	for _, size := range []int{4 << 10, 256 << 10} {
		b.Run(fmt.Sprintf("%d files of %d bytes", benchFiles, size), func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(benchFiles * size))
			bench(b, size)
		})
	}
}

func benchmarkPush(b *testing.B, size int) {
	h, data, n := newHost(b), make([]byte, size), 0
	changes := []vfs.Change{{Kind: vfs.TimesChange, Atime: time.Unix(1e9, 0), Mtime: time.Unix(1e9, 0)}}
	for b.Loop() {
		d, err := h.Open(b.TempDir(), vfs.OpenOptions{})
		must(b, err)
		n++
		must(b, vfs.Mkdir(d, fmt.Sprint(n), 0o700))
		sub, err := d.OpenDir(fmt.Sprint(n), vfs.NoFollow)
		must(b, err)
		byWorkers(b, func(i int, _ []byte) error {
			f, err := sub.OpenFile(fmt.Sprint(i), vfs.CreateAsync, 0o600)
			if err != nil {
				return err
			}
			if _, err := f.WriteAt(data, 0); err != nil {
				return err
			}
			_, err = f.Commit(changes, false)
			return err
		})
		must(b, sub.Close())
		must(b, d.Close())
	}
}

func benchmarkPull(b *testing.B, size int) {
	h, dir := newHost(b), filled(b, size)
	d, err := h.Open(dir, vfs.OpenOptions{})
	must(b, err)
	for b.Loop() {
		byWorkers(b, func(i int, buf []byte) error {
			f, err := d.OpenFile(fmt.Sprint(i), vfs.ReadOnly, 0)
			if err != nil {
				return err
			}
			if _, err := f.ReadAt(buf, 0); err != nil {
				return err
			}
			return f.Close()
		})
	}
	must(b, d.Close())
}

// filled returns a directory with files of a size.
func filled(b *testing.B, size int) string {
	dir := b.TempDir()
	for i := range benchFiles {
		must(b, os.WriteFile(filepath.Join(dir, fmt.Sprint(i)), make([]byte, size), fs.FileMode(0o600)))
	}
	return dir
}

// byWorkers calls do for each file, with a buffer, by as many workers as a run has at least.
func byWorkers(b *testing.B, do func(i int, buf []byte) error) {
	const workers = 16
	failed := make(chan error, workers)
	for w := range workers {
		go func() {
			buf := make([]byte, 4<<10)
			for i := w; i < benchFiles; i += workers {
				if err := do(i, buf); err != nil {
					failed <- err
					return
				}
			}
			failed <- nil
		}()
	}
	for range workers {
		must(b, <-failed)
	}
}
