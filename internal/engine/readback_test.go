package engine

import (
	"fmt"
	"io/fs"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"psync/internal/report"
	"psync/internal/vfs"
	"psync/internal/vfs/faultfs"
	"psync/internal/vfs/fstest"
)

// A liar is a directory on a volume that flips a bit in each of the first writes to a file, and reports success.
type liar struct {
	vfs.Dir
	*lies
}

type lies struct {
	perFile int // writes that are falsified

	mu      sync.Mutex     // guards the fields below
	flipped map[string]int // bits flipped, by the name that a file was made with
	random  *rand.Rand
}

type liarFile struct {
	vfs.File
	*lies
	name string
}

func (d liar) Unwrap() vfs.Dir { return d.Dir }

func (d liar) OpenDir(name string, how vfs.Resolve) (vfs.Dir, error) {
	sub, err := d.Dir.OpenDir(name, how)
	if err != nil {
		return nil, err
	}
	return liar{sub, d.lies}, nil
}

func (d liar) OpenFile(name string, mode vfs.OpenMode, perm fs.FileMode) (vfs.File, error) {
	f, err := d.Dir.OpenFile(name, mode, perm)
	if err != nil || !mode.Writes() {
		return f, err
	}
	return liarFile{f, d.lies, name}, nil
}

func (d liar) Caps() vfs.Caps { return d.Dir.Caps() &^ (vfs.CanCopyPlain | vfs.CanCloneFile) }

func (f liarFile) Caps() vfs.Caps {
	return f.File.Caps() &^ (vfs.CanClone | vfs.CanCopyRange)
}

func (f liarFile) WriteAt(p []byte, off int64) (int, error) {
	f.mu.Lock()
	lie := f.flipped[f.name] < f.perFile && len(p) > 0
	if lie {
		f.flipped[f.name]++
		p = append([]byte(nil), p...)
		p[f.random.IntN(len(p))] ^= 1 << f.random.IntN(8)
	}
	f.mu.Unlock()
	return f.File.WriteAt(p, off)
}

// newLied returns a verifying copy to a volume that flips a bit in the first writes to each file.
func newLied(t testing.TB, perFile int, src, dst string) (*testbed, *lies) {
	b := newSync(t, src, dst)
	l := &lies{perFile: perFile, flipped: make(map[string]int), random: rand.New(rand.NewPCG(1, uint64(perFile)))}
	b.job.Dest = liar{b.job.Dest, l}
	b.job.Verify, b.job.Threads = true, 8
	return b, l
}

// manyFiles is a tree of 1,000 files of different lengths.
func manyFiles() string {
	var s strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&s, "d%d/f%d 644 @2001-01-01T00:00:00Z %q*%d\n", i%7, i, fmt.Sprint("text", i), 1+i*i%1000)
	}
	return s.String()
}

// TestEachFlippedBitIsFound flips a bit in each of 1,000 files: all are copied again.
func TestEachFlippedBitIsFound(t *testing.T) {
	b, l := newLied(t, 1, manyFiles(), "")
	b.mustRun(t)
	b.wantEqual(t)
	got := b.job.Stats.Totals()
	if len(l.flipped) != 1000 || got[report.Mismatched] != 1000 || got[report.Verified] != 1000 {
		t.Errorf("of %d flipped bits, %d were found; %d files are said to be verified", len(l.flipped), got[report.Mismatched], got[report.Verified])
	}
	if got[report.BytesCopied] != got[report.BytesSeen] || got[report.BytesLeft] != 0 {
		t.Errorf("%d of %d bytes are said to be copied, and %d to be left", got[report.BytesCopied], got[report.BytesSeen], got[report.BytesLeft])
	}
}

// TestFilesThatNeverReadBackFail flips a bit in each write: none of 1,000 files stays, and each is reported.
func TestFilesThatNeverReadBackFail(t *testing.T) {
	b, _ := newLied(t, 1<<30, manyFiles(), "")
	if err := b.run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if failed := b.record.lines(report.Fail); len(failed) != 1000 || !strings.HasPrefix(failed[0], "fail DST/") {
		t.Errorf("%d failures, want 1000; the first: %q", len(failed), failed[:min(1, len(failed))])
	}
	if tree := fstest.Tree(t, b.dst.Root()); strings.Contains(tree, "f") {
		t.Errorf("something stayed:\n%.500s", tree)
	}
}

// TestVerifyingByEachWay copies in each way to a volume that flips a bit once, and then to one that always does.
func TestVerifyingByEachWay(t *testing.T) {
	for _, way := range copyWays {
		t.Run(way.name, func(t *testing.T) {
			for _, perFile := range []int{0, 1, 1 << 30} {
				b, _ := newLied(t, perFile, "f 200 @2001-01-01T00:00:00Z new", way.dst)
				if way.set != nil {
					way.set(&b.job.Options)
				}
				if err := b.run(t.Context()); err != nil {
					t.Fatal(err)
				}
				failed := b.record.lines(report.Fail)
				if perFile <= 1 && failed == nil {
					b.wantEqual(t)
				}
				if (failed != nil) != (perFile > 1) {
					t.Errorf("%d lies: failed %q", perFile, failed)
				}
				if way.name == "replaced file" && perFile > 1 {
					b.wantTree(t, "f 644 before")
				}
			}
		})
	}
}

// TestWhatChangesWhileItIsVerifiedIsNoMismatch changes a file of the source after it was copied.
func TestWhatChangesWhileItIsVerifiedIsNoMismatch(t *testing.T) {
	for _, name := range []string{"f 644 @2001-01-01T00:00:00Z new", "f 644 @2002-01-01T00:00:00Z longer"} {
		b := newSync(t, unchangedFile, "")
		b.job.Verify = true
		plain := b.job.Sources[0].Dir
		var once sync.Once
		b.job.Dest = faultfs.New(b.job.Dest, func(op, _ string) error {
			if op != "open" {
				return nil
			}
			once.Do(func() { overwrite(t, plain, "f", name) })
			return nil
		})
		if err := b.run(t.Context()); err != nil {
			t.Fatal(err)
		}
		for _, e := range b.record.events {
			if e.Kind == report.Fail && e.Err != nil && strings.Contains(e.Err.Error(), "read back") {
				t.Errorf("%s: %v", name, e.Err)
			}
		}
		b.mustRun(t)
		b.wantEqual(t)
	}
}
