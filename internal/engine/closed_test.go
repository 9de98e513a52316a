package engine

import (
	"fmt"
	"io/fs"
	"strings"
	"syscall"
	"testing"

	"psync/internal/report"
	"psync/internal/vfs"
	"psync/internal/vfs/faultfs"
)

// deny returns a hook that refuses op on name, as the system refuses it to an owner, while the mode of the entry
// called path lacks bits.
func deny(b *testbed, op, name, path string, bits fs.FileMode, also func(op, name string) error) func(op, name string) error {
	return func(o, n string) error {
		if o == op && n == name {
			root := b.dst.Root()
			defer root.Close()
			if attr, err := vfs.Lstat(root, path); err == nil && attr.Mode&bits != bits {
				return syscall.EACCES
			}
		}
		return also(o, n)
	}
}

// TestModesOfFilesWrittenInPlaceSurviveKills writes into a file that its owner may not write to, and checks after
// each later step what a process killed at that point would leave behind.
func TestModesOfFilesWrittenInPlaceSurviveKills(t *testing.T) {
	for _, noPerms := range []bool{true, false} {
		for _, fails := range []string{"", "write", "fchtimes", "close"} {
			t.Run(fmt.Sprintf("no-perms %v, fails %q", noPerms, fails), func(t *testing.T) {
				b := newSync(t, "f 444 @2001-01-01T00:00:00Z new\n", "f 444 old!\n")
				b.job.InPlace, b.job.Threads = true, 1
				b.job.Keep.NoPerms, b.job.Keep.Modes = noPerms, !noPerms
				written := 0
				b.job.Dest = faultfs.New(b.job.Dest, deny(b, "rewrite", "f", "f", 0o600, func(op, name string) error {
					if op == "write" || written > 0 {
						written++
						root := b.dst.Root()
						defer root.Close()
						if attr, err := vfs.Lstat(root, "f"); err != nil || attr.Mode.Perm() != 0o444 {
							t.Errorf("%s %s: the mode is %v, %v", op, name, attr.Mode, err)
						}
					}
					if op == fails && name == "f" {
						return syscall.EIO
					}
					return nil
				}))
				if err := b.run(t.Context()); err != nil {
					t.Fatal(err)
				}
				if written == 0 {
					t.Errorf("nothing was written: %q", b.record.all())
				}
				if _, dst := b.trees(t); !strings.HasPrefix(dst, "f 444 ") {
					t.Errorf("the destination is\n%s", dst)
				}
			})
		}
	}
}

// TestModeThatCannotBeRestoredIsReported has a file whose mode cannot be restored.
func TestModeThatCannotBeRestoredIsReported(t *testing.T) {
	b := newSync(t, "f 444 new\n", "f 444 old!\n")
	b.job.InPlace = true
	open := b.dst.Open()
	b.job.Dest = faultfs.New(b.job.Dest, deny(b, "rewrite", "f", "f", 0o600, func(op, _ string) error {
		if op == "fchmod" {
			return syscall.EIO
		}
		return nil
	}))
	if err := b.run(t.Context()); err != nil {
		t.Fatal(err)
	}
	b.wantEvents(t, []string{"fail DST/f"}, report.Fail)
	if now := b.dst.Open(); now != open {
		t.Errorf("%d handles stay open", now-open)
	}
}

// TestDirectoryThatCannotBeOpenedKeepsItsMode has a directory that its owner may not open, and that nothing can open
// even with owner rights.
func TestDirectoryThatCannotBeOpenedKeepsItsMode(t *testing.T) {
	b := newSync(t, "d/f 644 x\n", "d/ 055\nd/f 644 old\n")
	b.job.Dest = faultfs.New(b.job.Dest, deny(b, "opendir", "d", "d", 0o700, func(op, name string) error {
		if op == "opendir" && name == "d" {
			return syscall.EIO
		}
		return nil
	}))
	if err := b.run(t.Context()); err != nil {
		t.Fatal(err)
	}
	b.wantEvents(t, []string{"fail DST/d"}, report.Fail)
	if _, dst := b.trees(t); !strings.HasPrefix(dst, "d/ 055\n") {
		t.Errorf("the destination is\n%s", dst)
	}
}
