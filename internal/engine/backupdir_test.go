package engine

import (
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"psync/internal/engine/backup"
	"psync/internal/metadata"
	"psync/internal/vfs"
	"psync/internal/vfs/faultfs"
	"psync/internal/vfs/fstest"
)

// TestBackupDirIsMadeOnce has many workers that need a directory for backups that does not exist. It lies in the
// destination, where it is not removed, and whose time it gets.
func TestBackupDirIsMadeOnce(t *testing.T) {
	for _, threads := range []int{1, 16} {
		var src, dst, want strings.Builder
		src.WriteString("./ 755 @2001-01-01T00:00:00Z\n")
		for i := range 20 {
			fmt.Fprintf(&src, "d%d/ 755\n", i)
			fmt.Fprintf(&dst, "d%d/gone 644 old\nx%d/gone 644 old\n", i, i)
			fmt.Fprintf(&want, ".bak/d%d/gone 644 old\n.bak/x%d/gone 644 old\n", i, i)
		}
		b := newMirror(t, src.String(), dst.String())
		b.job.Threads = threads
		root, err := vfs.Lstat(b.job.Dest, ".")
		if err != nil {
			t.Fatal(err)
		}
		var made atomic.Int32
		open := b.dst.Open()
		b.job.Backup = backup.Options{On: true, Missing: true, Parent: root.ID(), Make: func() (vfs.Dir, error) {
			made.Add(1)
			if err := vfs.Mkdir(b.job.Dest, ".bak", 0o700); err != nil {
				return nil, err
			}
			return b.job.Dest.OpenDir(".bak", vfs.NoFollow)
		}}
		b.mustRun(t)
		if n := made.Load(); n != 1 {
			t.Errorf("%d threads: made %d times", threads, n)
		}
		if now := b.dst.Open(); now != open {
			t.Errorf("%d threads: %d handles stay open", threads, now-open)
		}
		_, got := b.trees(t, fstest.WithRoot, fstest.WithMtimes)
		if first, _, _ := strings.Cut(got, "\n"); first != "./ 755 @2001-01-01T00:00:00Z" {
			t.Errorf("%d threads: the destination is %s", threads, first)
		}
		_, got = b.trees(t)
		for line := range strings.Lines(want.String()) {
			if !strings.Contains(got, line) {
				t.Errorf("%d threads: %q is missing", threads, line)
			}
		}
	}
}

// TestBackupDirIsCompleteBeforeItIsUsed has one worker make a directory for backups slowly while another, which also
// needs it, has already finished the directory that it stands for.
func TestBackupDirIsCompleteBeforeItIsUsed(t *testing.T) {
	for _, op := range []string{"opendir", "fchmod", "setxattr"} {
		t.Run(op, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := newMirror(t, "docs/ 700\ndocs/deep/f 644 newer\n", "docs/ 2775 @security.capability=x\ndocs/old 644 old\ndocs/deep/f 644 old\n")
				b.job.SourceProfile, b.job.DestProfile = metadata.Linux, metadata.Linux
				b.job.Sources[0].Dir = faultfs.New(b.job.Sources[0].Dir, func(op, name string) error {
					if op == "lstat" && name == "old" {
						time.Sleep(time.Second) // it is removed while bak/docs is being made
					}
					return nil
				})
				bak := another(t, "")
				var making, complete atomic.Bool
				b.job.Backup = backup.Options{On: true, Dir: faultfs.New(bak, func(o, name string) error {
					switch {
					case o == "mkdir" && name == "docs":
						making.Store(true)
					case o == op && making.Swap(false):
						time.Sleep(2 * time.Second)
						complete.Store(true)
					case o == "create" && name == "old" && !complete.Load():
						t.Error("something is put into the directory before it is complete")
					}
					return nil
				})}
				b.mustRun(t)
				const want = "docs/ 2775 @security.capability=x"
				if got := fstest.Tree(t, bak, fstest.WithXattrs); !strings.HasPrefix(got, want+"\n") || !complete.Load() {
					t.Errorf("got\n%swant %s", got, want)
				}
			})
		})
	}
}
