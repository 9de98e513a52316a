package job

import (
	"errors"
	"io/fs"
	"syscall"
	"testing"

	"psync/internal/vfs"
)

func TestFatalErrorsSayWhatIsMissing(t *testing.T) {
	const text = "nothing more can be written: "
	for _, tt := range []struct {
		err  error
		want string // "": not fatal
	}{
		{&FatalError{Err: syscall.EROFS}, text + "read-only file system"},
		{&FatalError{Err: syscall.ENOSPC}, text + "no space left on device"},
		{
			&FatalError{Err: syscall.ENOSPC, Need: 20 << 20, Room: &vfs.Space{Free: 1 << 20}},
			text + "no space left on device (1024 KiB free, the file takes 20 MiB)",
		},
		{
			&FatalError{Err: syscall.ENOSPC, Room: &vfs.Space{Free: 20 << 30, LimitsInodes: true}},
			text + "no space left on device (20 GiB free, no inode free)",
		},
		{
			&FatalError{Err: syscall.ENOSPC, Room: &vfs.Space{LimitsInodes: true, Inodes: 1}},
			text + "no space left on device (0 bytes free)",
		},
		{&FatalError{Err: syscall.EDQUOT, Need: 100}, text + "disk quota exceeded (the file takes 100 bytes)"},
		{&fs.PathError{Op: "write", Path: "f", Err: syscall.EDQUOT}, text + "disk quota exceeded"},
		{&NoRoomError{Need: 70 << 20, Free: 65 << 20}, text + "no space left on device"},
		{syscall.EIO, ""},
		{errors.New("no errno"), ""},
	} {
		fatal, ok := tt.err.(*FatalError)
		if !ok {
			fatal = Fatal(tt.err)
		}
		got := ""
		if fatal != nil {
			got = fatal.Error()
		}
		if got != tt.want {
			t.Errorf("%v: %q, want %q", tt.err, got, tt.want)
		}
	}
	const want = "no space left on device: it takes 70 MiB, and 65 MiB are free"
	if got := (&NoRoomError{Need: 70 << 20, Free: 65 << 20}).Error(); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
