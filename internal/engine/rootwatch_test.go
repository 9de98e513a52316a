package engine

import (
	"errors"
	"io/fs"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"psync/internal/engine/job"
	"psync/internal/vfs"
	"psync/internal/vfs/faultfs"
)

// TestRunEndsWhenARootIsUnmounted makes a write take a minute, during which the path of a root leads elsewhere.
func TestRunEndsWhenARootIsUnmounted(t *testing.T) {
	var plain vfs.Dir
	is := func() (vfs.Attr, error) { return vfs.Lstat(plain, ".") }
	other := func() (vfs.Attr, error) { return vfs.Attr{Dev: 1 << 20, Ino: 2}, nil }
	otherDir := func() (vfs.Attr, error) {
		attr, err := is()
		attr.Ino++
		return attr, err
	}
	alternating := func(stat func() (vfs.Attr, error)) func() (vfs.Attr, error) {
		n := 0
		return func() (vfs.Attr, error) {
			if n++; n%2 == 0 {
				return is()
			}
			return stat()
		}
	}
	fails := func(err error) func() (vfs.Attr, error) {
		return func() (vfs.Attr, error) { return vfs.Attr{}, &fs.PathError{Op: "stat", Path: "DST", Err: err} }
	}
	for _, tt := range []struct {
		name string
		stat func() (vfs.Attr, error) // nil: the attributes of the root
		far  bool
		want string // of the error; "" for none
	}{
		{"stays", nil, false, ""},
		{"other volume", other, false, "DST leads to another directory"},
		{"other volume of another server", other, true, "DST leads to another directory"},
		{"other directory", otherDir, false, "DST leads to another directory"},
		{"other directory of the server", otherDir, true, ""},
		{"gone", fails(syscall.ENOENT), true, "DST is gone"},
		{"gone now and then", alternating(fails(syscall.ENOENT)), true, ""},
		{"below a file", fails(syscall.ENOTDIR), false, "DST is gone"},
		{"server is away", fails(syscall.ETIMEDOUT), true, ""},
		{"stale", fails(syscall.ESTALE), true, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := newTestbed(t, "a/f 644 x\nb/f 644 x\nc/f 644 x\n", "")
				plain = b.job.Dest
				root, err := vfs.Lstat(plain, ".")
				if err != nil {
					t.Fatal(err)
				}
				stat := tt.stat
				if stat == nil {
					stat = is
				}
				b.job.Threads = 1
				b.job.Watched = []job.WatchedRoot{{Label: "DST", ID: root.ID(), IsFar: tt.far, Stat: stat}}
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
