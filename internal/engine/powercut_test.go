package engine

import (
	"errors"
	"math/rand/v2"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"psync/internal/metadata"
	"psync/internal/report"
	"psync/internal/vfs"
	"psync/internal/vfs/faultfs"
	"psync/internal/vfs/fstest"
	"psync/internal/vfs/memfs"
)

// TestPowerCut cuts the power before the first, the second, ... operation of a run and after the last one. Whatever
// is left of the files, the next run makes it equal to the source.
func TestPowerCut(t *testing.T) {
	const old = "a 644 @2000-01-01T00:00:00Z older\nd/b 644 @2000-01-01T00:00:00Z \"old\"*20000\nzeros 644 @2000-01-01T00:00:00Z before\n"
	for _, way := range []struct {
		name string
		dst  string
		set  func(*Options)
	}{
		{"new files", "", nil},
		{"existing files", old, nil},
		{"in place", old, func(o *Options) { o.InPlace = true }},
		{"sparse", "", func(o *Options) { o.Content.Sparse = true }},
		{"sparse, in place", old, func(o *Options) { o.Content.Sparse, o.InPlace = true, true }},
		{"update", old, func(o *Options) { o.Policy.Update = true }},
		{"contents compared", old, func(o *Options) { o.Policy.Checksum = true }},
	} {
		t.Run(way.name, func(t *testing.T) {
			for n := int64(1); cutPower(t, n, way.dst, way.set); n++ {
			}
		})
	}
}

// cutPower cuts the power before the n-th operation, if there are that many, and otherwise after the last.
func cutPower(t *testing.T, n int64, dst string, set func(*Options)) (more bool) {
	t.Helper()
	var zeros [40 << 10]byte
	for seed := range uint64(4) {
		b := newSync(t, "a 644 @2001-01-01T00:00:00Z newer\nd/b 644 @2001-01-01T00:00:00Z \"new\"*20000\n./ 755 @2001-01-01T00:00:00Z\n", "")
		b.job.Keep, b.job.Threads = metadata.Keep{Modes: true, Mtime: true}, 1
		src := b.job.Sources[0].Dir
		writeRuns(t, src, "zeros", "head", string(zeros[:]), "body", string(zeros[:]))
		// With the times that the clock of src shows now, the destination could seem to be finished.
		if err := vfs.Chtimes(vfs.In(src, "."), time.Time{}, time.Unix(1e9, 0)); err != nil {
			t.Fatal(err)
		}
		b.dst = memfs.NewVolatile()
		b.job.Dest = b.dst.Root()
		fstest.Fill(t, b.job.Dest, dst)
		if err := b.job.Dest.SyncVolume(); err != nil {
			t.Fatal(err)
		}
		if set != nil {
			set(&b.job.Options)
		}
		errDead := errors.New("the power is off")
		var seen atomic.Int64
		b.job.Dest = faultfs.New(b.dst.Root(), func(string, string) error {
			if seen.Add(1) >= n {
				return errDead
			}
			return nil
		})
		_ = b.run(t.Context())
		more = seen.Load() >= n
		b.dst.PowerCut(rand.New(rand.NewPCG(seed, uint64(n))))
		b.job.Dest = b.dst.Root()
		nextRun(&b.job)
		b.mustRun(t)
		b.wantEqual(t)
		if t.Failed() {
			t.Fatalf("operation %d, seed %d", n, seed)
		}
	}
	return more
}

// writeRuns makes a file from some pieces.
func writeRuns(t *testing.T, d vfs.Dir, name string, pieces ...string) {
	t.Helper()
	f, err := d.OpenFile(name, vfs.Create, 0o644)
	if err != nil {
		t.Fatal(err)
	}
	_, err = f.WriteAt([]byte(strings.Join(pieces, "")), 0)
	if err := errors.Join(err, f.Close()); err != nil {
		t.Fatal(err)
	}
}

// TestFsyncSurvivesAPowerCut cuts the power after a run with Fsync has returned.
func TestFsyncSurvivesAPowerCut(t *testing.T) {
	for seed := range uint64(20) {
		b := newSync(t, sample, "")
		b.job.Fsync = true
		b.dst = memfs.NewVolatile()
		b.job.Dest = b.dst.Root()
		b.mustRun(t)
		b.dst.PowerCut(rand.New(rand.NewPCG(seed, 0)))
		if src, dst := b.trees(t, fstest.WithMtimes); src != dst {
			t.Fatalf("seed %d: source:\n%s\ndestination:\n%s", seed, src, dst)
		}
	}
}

// TestFsyncLeavesTheOldOrTheNew cuts the power before each operation of a run with Fsync that replaces a file: it
// then has all of the old contents or all of the new ones.
func TestFsyncLeavesTheOldOrTheNew(t *testing.T) {
	old, replaced := "f 644 \"old\"*20000\n", "f 644 \"new\"*20001\n"
	for n, more := int64(1), true; more; n++ {
		for seed := range uint64(4) {
			b := newSync(t, replaced, "")
			b.job.Threads, b.job.Fsync = 1, true
			b.dst = memfs.NewVolatile()
			fstest.Fill(t, b.dst.Root(), old)
			if err := b.dst.Root().SyncVolume(); err != nil {
				t.Fatal(err)
			}
			var seen atomic.Int64
			b.job.Dest = faultfs.New(b.dst.Root(), func(string, string) error {
				if seen.Add(1) >= n {
					return errors.New("the power is off")
				}
				return nil
			})
			_ = b.run(t.Context())
			more = seen.Load() >= n
			b.dst.PowerCut(rand.New(rand.NewPCG(seed, uint64(n))))
			attr, err := vfs.Lstat(b.dst.Root(), "f")
			if err != nil || attr.Size != 60000 && attr.Size != 60003 {
				t.Fatalf("operation %d, seed %d: the file has %d bytes, %v", n, seed, attr.Size, err)
			}
		}
	}
}

// TestFilesThatCannotBeSynced makes the disk report only when a file is synced that its contents were not written.
// That is a failure of that file, and leaves the existing one.
func TestFilesThatCannotBeSynced(t *testing.T) {
	for _, inPlace := range []bool{false, true} {
		b := newSync(t, "bad 644 @2001-01-01T00:00:00Z newer\nd/bad 644 x\ngood 644 x\n", "bad 644 old\n")
		b.job.Fsync, b.job.InPlace = true, inPlace
		plain := b.job.Dest
		b.job.Dest = faultfs.New(plain, func(op, name string) error {
			if op == "fsync" && (name == "bad" || name != "good" && !inPlace) {
				return syscall.EIO
			}
			return nil
		})
		if err := b.run(t.Context()); err != nil {
			t.Fatal(err)
		}
		if failed := b.record.lines(report.Fail); len(failed) != 2 {
			t.Errorf("failed: %q, want two files", failed)
		}
		if _, err := vfs.Lstat(plain, "d/bad"); err == nil {
			t.Error("a file that could not be synced is there")
		}
		b.job.Dest = plain
		b.mustRun(t)
		b.wantEqual(t)
	}
}
