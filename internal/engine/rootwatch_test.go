package engine

import (
	"errors"
	"io/fs"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"psync/internal/vfs"
	"psync/internal/vfs/faultfs"
)

// TestRunEndsWhenARootIsUnmounted has a write take a minute, during which the path of a root leads elsewhere.
func TestRunEndsWhenARootIsUnmounted(t *testing.T) {
	other := func() (vfs.Attr, error) { return vfs.Attr{Dev: 1 << 20, Ino: 2}, nil }
	fails := func(err error) func() (vfs.Attr, error) {
		return func() (vfs.Attr, error) { return vfs.Attr{}, &fs.PathError{Op: "stat", Path: "DST", Err: err} }
	}
	for _, tt := range []struct {
		name string
		stat func() (vfs.Attr, error) // nil: what the root is
		want string                   // of the error; "" for none
	}{
		{"stays", nil, ""},
		{"other volume", other, "DST leads to another directory"},
		{"gone", fails(syscall.ENOENT), "DST is gone"},
		{"below a file", fails(syscall.ENOTDIR), "DST is gone"},
		{"server is away", fails(syscall.ETIMEDOUT), ""},
		{"stale", fails(syscall.ESTALE), ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := newTestbed(t, "a/f 644 x\nb/f 644 x\nc/f 644 x\n", "")
				plain := b.job.Dest
				root, err := plain.Lstat(".")
				if err != nil {
					t.Fatal(err)
				}
				stat := tt.stat
				if stat == nil {
					stat = func() (vfs.Attr, error) { return plain.Lstat(".") }
				}
				b.job.Threads = 1
				b.job.Watched = []WatchedRoot{{Label: "DST", ID: root.ID(), Stat: stat}}
				writes := 0
				b.job.Dest = faultfs.New(plain, func(op, name string) error {
					if op == "write" {
						writes++
						time.Sleep(time.Minute)
					}
					return nil
				})
				err = b.run(t.Context())
				if tt.want == "" {
					if err != nil || writes != 3 {
						t.Errorf("Run = %v after %d writes, want none after 3", err, writes)
					}
					return
				}
				if _, ok := errors.AsType[*RootError](err); !ok || !strings.HasPrefix(err.Error(), tt.want) || writes != 1 {
					t.Errorf("Run = %v after %d writes, want a RootError %q after 1", err, writes, tt.want)
				}
			})
		})
	}
}
