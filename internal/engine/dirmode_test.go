package engine

import (
	"io/fs"
	"strings"
	"syscall"
	"testing"

	"psync/internal/metadata"
	"psync/internal/vfs"
	"psync/internal/vfs/faultfs"
	"psync/internal/vfs/fstest"
)

// TestDestinationRootKeepsItsMode checks a root that exists: it may be /tmp.
func TestDestinationRootKeepsItsMode(t *testing.T) {
	b := newMirror(t, "./ 700\nd/ 700\n", "./ 1777\nd/ 1777\ngone 644 x\n")
	b.job.Keep = metadata.Keep{Modes: true, Mtime: true}
	b.mustRun(t)
	_, got := b.trees(t, fstest.WithRoot)
	if want := "./ 1777\nd/ 1700\n"; got != want {
		t.Errorf("destination:\n%s\nwant:\n%s", got, want)
	}
}

// TestInterruptedMirrorClosesDirectoriesAgain checks directories with a mode that no later run could determine by
// itself.
func TestInterruptedMirrorClosesDirectoriesAgain(t *testing.T) {
	for n := 1; ; n++ {
		b := newMirror(t, "d/ 755\nd/f 644 x\n", "d/ 500\nd/gone/sub/f 644 x\nd/gone/f 644 x\n")
		b.job.Threads = 1
		b.job.Keep = metadata.Keep{Mtime: true}
		fault := faultfs.Nth(n, syscall.ENOSPC)
		b.job.Dest = faultfs.New(b.job.Dest, fault.Before)
		_ = b.run(t.Context())
		if fault.Pending() {
			return
		}
		if strings.Contains(fault.String(), "chmod") {
			continue // the failed operation is a close
		}
		attr, err := vfs.Lstat(b.job.Dest, "d")
		if err != nil || attr.Mode != fs.ModeDir|0o500 {
			t.Errorf("%v: the directory has mode %v, %v; want what it had", fault, attr.Mode, err)
		}
	}
}
