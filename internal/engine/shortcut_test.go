package engine

import (
	"sync/atomic"
	"testing"

	"psync/internal/content"
	"psync/internal/metadata"
	"psync/internal/report"
	"psync/internal/vfs"
	"psync/internal/vfs/fstest"
	"psync/internal/vfs/plainfs"
)

// TestPlainFilesAreCopiedTheShortWay counts the files that are copied by CopyPlain. Their directory is new, except
// for the root where that exists. Files that are not plain are copied too.
func TestPlainFilesAreCopiedTheShortWay(t *testing.T) {
	if alwaysShare {
		t.Skip("workers share the contents of each file")
	}
	const tree = `
		d/ 755 @2001-01-01T00:00:00Z
		d/a 644 @2001-01-01T00:00:00Z contents
		d/b 600 @2001-01-01T00:00:00Z "contents"*100
		d/empty 444 @2001-01-01T00:00:00Z
		d/long 644 @2001-01-01T00:00:00Z "contents"*10000
		d/link -> a
		f 644 @2001-01-01T00:00:00Z root
	`
	for _, tt := range []struct {
		name   string
		change func(*testbed)
		want   int64 // files copied by CopyPlain
	}{
		{"new", func(*testbed) {}, 4},
		{"existing root", func(b *testbed) { b.job.DestIsNew = false }, 3},
		{"owners that come by themselves", func(b *testbed) { b.job.Keep.Owner, b.job.Keep.Group = true, true }, 3},
		{"other owners", func(b *testbed) {
			b.job.Keep.Owner, b.job.Keep.Group = true, true
			for _, name := range []string{"a", "b", "empty", "long"} {
				d, _ := b.job.Sources[0].Dir.OpenDir("d", vfs.NoFollow)
				_ = vfs.Chown(vfs.In(d, name), 5, 6)
				_ = d.Close()
			}
		}, 0},
		{"access times", func(b *testbed) { b.job.Keep.Atime = true }, 0},
		{"size limits", func(b *testbed) { b.job.MinSize = 1 }, 0},
		{"sparse", func(b *testbed) { b.job.Content.Sparse = true }, 0},
		{"blocks shared", func(b *testbed) { b.job.Content.Reflink = content.ReflinkAlways }, 0},
		{"synced", func(b *testbed) { b.job.Fsync = true }, 0},
		{"dry run", func(b *testbed) { b.job.DryRun = true }, 0},
		{"set-id bits", func(b *testbed) {
			b.job.Keep.Perms = true
			fstest.Fill(t, b.job.Sources[0].Dir, "d/set-id 4755 x")
		}, 4},
		{"extended attributes", func(b *testbed) {
			n, _ := b.job.Sources[0].Dir.Node("f")
			_ = vfs.SetXattr(n, "user.a", []byte("x"))
			_ = n.Close()
		}, 3},
		{"links", func(b *testbed) {
			_ = b.job.Sources[0].Dir.Link(b.job.Sources[0].Dir, "f", "f2")
		}, 3},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var copied atomic.Int64
			b := newTestbed(t, tree, "")
			b.job.Keep = metadata.Keep{Mtime: true}
			b.job.Dest = plainfs.New(b.job.Dest, &copied)
			tt.change(b)
			if err := b.run(t.Context()); err != nil {
				t.Fatal(err)
			}
			if got := copied.Load(); got != tt.want {
				t.Errorf("%d files were copied the short way, want %d", got, tt.want)
			}
			if b.job.DryRun || b.job.MinSize > 0 || b.job.Content.Reflink == content.ReflinkAlways {
				return
			}
			b.wantEqual(t)
			totals := b.job.Stats.Totals()
			if totals[report.FilesCopied] != totals[report.FilesSeen] || totals[report.FilesMade] != totals[report.FilesSeen] ||
				totals[report.BytesCopied] != totals[report.BytesSeen] || len(b.record.lines(report.Copy)) != int(totals[report.FilesSeen]) {
				t.Errorf("not each file was counted and reported once: %v", totals)
			}
		})
	}
}

// TestFilesThatAreEqualAreFoundByQuickCheck counts the files that QuickCheck finds equal in a second sync, which must
// find nothing to do, and then in a sync after a file was changed, which must be copied.
func TestFilesThatAreEqualAreFoundByQuickCheck(t *testing.T) {
	const tree = `
		d/ 755 @2001-01-01T00:00:00Z
		d/a 644 @2001-01-01T00:00:00Z contents
		d/b 600 @2001-01-01T00:00:00Z "contents"*100
		f 644 @2001-01-01T00:00:00Z root
		link -> f
	`
	for _, tt := range []struct {
		name   string
		change func(*testbed)
		want   int64 // files found equal
	}{
		{"sync", func(*testbed) {}, 3},
		{"archive", func(b *testbed) {
			b.job.Keep = metadata.Keep{Mtime: true, Modes: true, Perms: true, Owner: true, Group: true, ACLs: true, Xattrs: true}
			b.job.HardLinks = true
		}, 3},
		{"delete", func(b *testbed) { b.job.Delete.On = true }, 3},
		{"dry run", func(b *testbed) { b.job.DryRun = true }, 3},
		{"checksums", func(b *testbed) { b.job.Checksum = true }, 0},
		{"size only", func(b *testbed) { b.job.SizeOnly = true }, 3},
		{"ignored times", func(b *testbed) { b.job.IgnoreTimes = true }, 0},
		{"size limits", func(b *testbed) { b.job.MinSize = 1 }, 0},
		{"removed sources", func(b *testbed) { b.job.RemoveSource = true }, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var equal atomic.Int64
			b := newSync(t, tree, "")
			b.mustRun(t)
			b.job.DestIsNew = false
			tt.change(b)
			b.job.Dest = plainfs.New(b.job.Dest, &equal)
			b.mustRun(t)
			if got := equal.Load(); got != tt.want {
				t.Errorf("%d files were found equal by QuickCheck, want %d", got, tt.want)
			}
			totals := b.job.Stats.Totals()
			if !b.job.IgnoreTimes && (totals[report.FilesKept] != totals[report.FilesSeen] || totals[report.BytesKept] != totals[report.BytesSeen]) {
				t.Errorf("not each file was counted once: %v", totals)
			}
			if b.job.RemoveSource || b.job.DryRun {
				return
			}
			fstest.Fill(t, b.job.Sources[0].Dir, "d/a 644 @2002-01-01T00:00:00Z \"more contents\"")
			b.mustRun(t)
			b.wantEqual(t)
		})
	}
}
