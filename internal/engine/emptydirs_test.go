package engine

import (
	"sync/atomic"
	"syscall"
	"testing"

	"psync/internal/metadata"
	"psync/internal/report"
	"psync/internal/vfs"
	"psync/internal/vfs/fstest"
	"psync/internal/vfs/plainfs"
)

// TestEmptyDirectoriesAreCopiedInOneCall counts the directories copied by CopyPlain. All others are copied too.
func TestEmptyDirectoriesAreCopiedInOneCall(t *testing.T) {
	const tree = `
		a/ 755 @2001-01-01T00:00:00Z
		b/ 500 @2001-01-01T00:00:00Z
		c/ 755 @2001-01-01T00:00:00Z
		c/d/ 711 @2001-01-01T00:00:00Z
		c/d/e/ 700 @2001-01-01T00:00:00Z
		link -> a
	`
	for _, tt := range []struct {
		name   string
		change func(*testbed)
		want   int64 // directories copied by CopyPlain
	}{
		{"new", func(*testbed) {}, 3},
		{"existing root", func(b *testbed) { b.job.DestIsNew = false }, 1},
		{"no times", func(b *testbed) { b.job.Keep = metadata.Keep{} }, 3},
		{"no times of directories", func(b *testbed) { b.job.Keep.OmitDirTimes = true }, 3},
		{"archive", func(b *testbed) {
			b.job.Keep = metadata.Keep{Mtime: true, Modes: true, Perms: true, Owner: true, Group: true, ACLs: true, Xattrs: true}
		}, 1}, // the owner of new entries in the root is unknown
		{"set-id bits", func(b *testbed) {
			b.job.Keep.Perms = true
			fstest.Fill(t, b.job.Sources[0].Dir, "c/d/e/ 1777")
		}, 2},
		{"full directory", func(b *testbed) { fstest.Fill(t, b.job.Sources[0].Dir, "a/link -> f") }, 2},
		{"one file system", func(b *testbed) { b.job.OneFileSystem = true }, 3},
		{"synced", func(b *testbed) { b.job.Fsync = true }, 0},
		{"access times", func(b *testbed) { b.job.Keep.Atime = true }, 0},
		{"creation times", func(b *testbed) { b.job.Keep.Btime = true }, 0},
		{"backups", func(b *testbed) { b.job.Backup.On, b.job.Backup.Suffix = true, "~" }, 0},
		{"removed sources", func(b *testbed) { b.job.RemoveSource = true }, 0},
		{"dry run", func(b *testbed) { b.job.DryRun = true }, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var copied atomic.Int64
			b := newTestbed(t, tree, "")
			b.job.Threads = 1
			b.job.Dest = plainfs.New(b.job.Dest, &copied)
			tt.change(b)
			b.mustRun(t)
			if got := copied.Load(); got != tt.want && !alwaysShare {
				t.Errorf("%d directories were copied in one call, want %d", got, tt.want)
			}
			totals := b.job.Stats.Totals()
			if totals[report.DirsSeen] != totals[report.DirsMade]+1 || len(b.record.lines(report.Mkdir)) != int(totals[report.DirsMade]) {
				t.Errorf("not each directory was counted and reported once: %v", totals)
			}
			if !b.job.DryRun && b.job.Keep.Mtime && !b.job.Keep.OmitDirTimes && !b.job.Keep.Btime && !b.job.RemoveSource {
				b.wantEqual(t)
			}
		})
	}
}

// halfMade is a directory in which CopyPlain makes directories without their times.
type halfMade struct{ vfs.Dir }

func (d halfMade) Unwrap() vfs.Dir { return d.Dir }

func (d halfMade) CopyPlain(src vfs.Dir, name string, o *vfs.PlainOptions) (int64, error) {
	if o.Dir == nil {
		return d.Dir.CopyPlain(src, name, o)
	}
	without, dir := *o, *o.Dir
	dir.Mtime, without.Dir = false, &dir
	if _, err := d.Dir.CopyPlain(src, name, &without); err != nil {
		return 0, err
	}
	return 0, &vfs.PartialError{Err: syscall.EIO}
}

// TestEmptyDirectoryThatIsNotCompletedIsCompleted checks that the general method completes what one call began.
func TestEmptyDirectoryThatIsNotCompletedIsCompleted(t *testing.T) {
	if alwaysShare {
		t.Skip("workers share the contents of each file")
	}
	b := newTestbed(t, "a/ 755 @2001-01-01T00:00:00Z\nb/ 500 @2001-01-01T00:00:00Z\n", "")
	var made atomic.Int64
	b.job.Threads = 1
	b.job.Dest = halfMade{plainfs.New(b.job.Dest, &made)}
	b.mustRun(t)
	b.wantEqual(t)
	if made.Load() != 2 {
		t.Errorf("%d directories were made in one call, want 2", made.Load())
	}
	if n := b.job.Stats.Totals()[report.DirsSeen]; n != 3 || len(b.record.lines(report.Mkdir)) != 2 {
		t.Errorf("%d directories were counted, and %q reported", n, b.record.lines(report.Mkdir))
	}
}
