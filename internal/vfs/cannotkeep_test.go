package vfs

import (
	"errors"
	"fmt"
	"io/fs"
	"syscall"
	"testing"
)

func TestOnlyWhatAVolumeLacksIsUnkeepable(t *testing.T) {
	for _, tt := range []struct {
		err  error
		want bool
	}{
		{nil, false},
		{errors.ErrUnsupported, true},
		{fmt.Errorf("%w: %w", errors.ErrUnsupported, syscall.ENOTTY), true},
		{&fs.PathError{Op: "chown", Path: "f", Err: syscall.EPERM}, true},
		{syscall.EINVAL, true},
		{syscall.ENOTSUP, true},
		{syscall.EOPNOTSUPP, true},
		{syscall.ENOSYS, true},
		{syscall.EIO, false},
		{syscall.ENOSPC, false},
		{syscall.EDQUOT, false},
		{syscall.EACCES, false},
		{syscall.E2BIG, false},
		{syscall.ENOENT, false},
		{syscall.ESTALE, false},
		{syscall.ETIMEDOUT, false},
		{errors.New("broken"), false},
	} {
		if got := CannotKeep(tt.err); got != tt.want {
			t.Errorf("CannotKeep(%v) = %v", tt.err, got)
		}
	}
}
