package engine

import (
	"bytes"
	"fmt"
	"slices"
	"sync"
	"testing"

	"psync/internal/engine/job"
	"psync/internal/report"
	"psync/internal/vfs"
	"psync/internal/vfs/faultfs"
)

// hashes records the sizes of files instead of checksums.
type hashes struct {
	mu    sync.Mutex // guards lines
	lines []string
}

type fileSize struct {
	bytes.Buffer
	all *hashes
}

func (f *fileSize) Record(path string, attr vfs.Attr) {
	f.all.mu.Lock()
	defer f.all.mu.Unlock()
	f.all.lines = append(f.all.lines, fmt.Sprint(path, " ", f.Len(), " ", attr.Size))
}

// newHashed returns a sync that hashes, and what it records.
func newHashed(t *testing.T, src, dst string) (*testbed, *hashes) {
	b, h := newSync(t, src, dst), new(hashes)
	b.job.Hashes.New = func() job.FileHash { return &fileSize{all: h} }
	return b, h
}

func (h *hashes) want(t *testing.T, name string, want ...string) {
	t.Helper()
	slices.Sort(h.lines)
	if !slices.Equal(h.lines, want) {
		t.Errorf("%s: recorded %q, want %q", name, h.lines, want)
	}
	h.lines = nil
}

// TestEachFileIsHashedThatTheDestinationHas copies new and long files, and finds some current.
func TestEachFileIsHashedThatTheDestinationHas(t *testing.T) {
	const src = "a 644 @2001-01-01T00:00:00Z text\nd/long 644 @2001-01-01T00:00:00Z \"x\"*3000000\nd/empty 644 @2001-01-01T00:00:00Z\nd/link -> x\n" +
		"old 644 @2001-01-01T00:00:00Z text"
	want := []string{"a 4 4", "d/empty 0 0", "d/long 3000000 3000000", "old 4 4"}
	for _, ofDest := range []bool{false, true} {
		for _, threads := range []int{1, 8} {
			b, h := newHashed(t, src, "old 644 @2001-01-01T00:00:00Z text\nd/empty 644 @1999-01-01T00:00:00Z longer")
			b.job.Hashes.OfDest, b.job.Threads = ofDest, threads
			b.mustRun(t)
			h.want(t, "first run", want...)
			b.mustRun(t)
			h.want(t, "second run", want...)
			b.job.DryRun = true
			b.mustRun(t)
			h.want(t, "dry run")
		}
	}
}

func TestNamesOfOneFileAreHashed(t *testing.T) {
	b, h := newHashed(t, "a 644 @2001-01-01T00:00:00Z text\nd/b (= a)\ne/c (= a)", "")
	b.job.HardLinks = true
	for range 2 {
		b.mustRun(t)
		h.want(t, "names", "a 4 4", "d/b 4 4", "e/c 4 4")
	}
}

// TestWhatFailsIsNotHashed makes one file fail, and changes another one after it was copied.
func TestWhatFailsIsNotHashed(t *testing.T) {
	if alwaysShare {
		t.Skip("files that are shared are written under temporary names, by which the faults do not know them")
	}
	b, h := newHashed(t, "bad 644 @2001-01-01T00:00:00Z text\nf 644 @2001-01-01T00:00:00Z old", "")
	plain := b.job.Sources[0].Dir
	var once sync.Once
	b.job.Dest = faultfs.New(faultfs.Inject(b.job.Dest, `(op write, path "bad", err EIO)`), func(op, name string) error {
		if op == "fclose" && name == "f" {
			once.Do(func() { overwrite(t, plain, "f", "f 644 @2002-01-01T00:00:00Z new") })
		}
		return nil
	})
	if err := b.run(t.Context()); err != nil {
		t.Fatal(err)
	}
	b.wantEvents(t, []string{"fail DST/bad", "fail SRC/f"}, report.Fail)
	h.want(t, "failures")
}
