package engine

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"psync/internal/engine/source"
	"psync/internal/localfs"
	"psync/internal/metadata"
	"psync/internal/plan"
	"psync/internal/report"
	"psync/internal/vfs"
	"psync/internal/vfs/faultfs"
	"psync/internal/vfs/fstest"
	"psync/internal/vfs/memfs"
)

type discard struct{}

func (discard) Event(report.Event) {}

// copyOnce copies one directory into another, new one.
func copyOnce(b *testing.B, src, dst vfs.Dir, threads int) {
	b.Helper()
	stats := new(report.Stats)
	err := Run(b.Context(), Job{
		Options: Options{Threads: threads, Keep: metadata.Keep{Mtime: true}},
		Sources: []source.Tree{{Dir: src}}, Dest: dst, DestIsNew: true,
		Sink: discard{}, Stats: stats,
	})
	if err != nil || stats.Totals()[report.Failed] > 0 {
		b.Fatal(err, stats.Totals())
	}
}

// plantLocal makes 20,000 small files in 1,000 directories, and returns the path.
func plantLocal(b *testing.B, top string) string {
	b.Helper()
	localfs.Host{}.ClearUmask()
	src := filepath.Join(top, "src")
	data := make([]byte, 8<<10)
	for i := range 1000 {
		dir := filepath.Join(src, fmt.Sprint(i/100), fmt.Sprint(i%100))
		if err := os.MkdirAll(dir, 0o755); err != nil {
			b.Fatal(err)
		}
		for j := range 20 {
			if err := os.WriteFile(filepath.Join(dir, fmt.Sprint(j)), data[:(i*j)%len(data)], 0o644); err != nil {
				b.Fatal(err)
			}
		}
	}
	return src
}

// BenchmarkNoop syncs 20,000 files that are current.
func BenchmarkNoop(b *testing.B) {
	top := b.TempDir()
	from := openLocal(b, plantLocal(b, top))
	if err := os.Mkdir(filepath.Join(top, "dst"), 0o755); err != nil {
		b.Fatal(err)
	}
	to := openLocal(b, filepath.Join(top, "dst"))
	copyOnce(b, from, to, 4)
	for _, remove := range []bool{false, true} {
		b.Run(fmt.Sprintf("delete=%v", remove), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				err := Run(b.Context(), Job{
					Options: Options{
						Threads: 16, Keep: metadata.Keep{Mtime: true, Modes: true},
						Policy: plan.Policy{Sync: true, Delete: plan.Delete{On: remove}},
					},
					Sources: []source.Tree{{Dir: from}}, Dest: to,
					Sink: discard{}, Stats: new(report.Stats),
				})
				if err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func openLocal(b *testing.B, path string) vfs.Dir {
	b.Helper()
	d, err := localfs.Open(path)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { d.Close() })
	return d
}

// BenchmarkLocal copies 20,000 small files in 1,000 directories.
func BenchmarkLocal(b *testing.B) {
	top := b.TempDir()
	src, dst := plantLocal(b, top), filepath.Join(top, "dst")
	for _, threads := range []int{1, 2, 16, 64} {
		b.Run(fmt.Sprintf("threads=%d", threads), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				b.StopTimer()
				if err := os.RemoveAll(dst); err != nil {
					b.Fatal(err)
				}
				if err := os.Mkdir(dst, 0o755); err != nil {
					b.Fatal(err)
				}
				from, err := localfs.Open(src)
				if err != nil {
					b.Fatal(err)
				}
				to, err := localfs.Open(dst)
				if err != nil {
					b.Fatal(err)
				}
				b.StartTimer()
				copyOnce(b, from, to, threads)
				b.StopTimer()
				from.Close()
				to.Close()
				b.StartTimer()
			}
		})
	}
}

// BenchmarkLatency copies 256 directories of 4 files with 1 ms per operation: it measures how many operations
// overlap.
func BenchmarkLatency(b *testing.B) {
	var tree strings.Builder
	for i := range 256 {
		fmt.Fprintf(&tree, "d%d/f1 644 x\nd%d/f2 644 x\nd%d/f3 644 x\nd%d/f4 644 x\n", i, i, i, i)
	}
	src := memfs.New().Root()
	fstest.Fill(b, src, tree.String())
	for _, threads := range []int{4, 16, 64} {
		b.Run(fmt.Sprintf("threads=%d", threads), func(b *testing.B) {
			for b.Loop() {
				far := func(d vfs.Dir) vfs.Dir { return faultfs.NewLatency(d, time.Millisecond) }
				copyOnce(b, far(src), far(memfs.New().Root()), threads)
			}
		})
	}
}
