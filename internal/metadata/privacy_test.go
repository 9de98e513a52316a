package metadata

import (
	"errors"
	"fmt"
	"io/fs"
	"syscall"
	"testing"
)

func TestMayBePrivate(t *testing.T) {
	failed := func(op string, err error) error { return &fs.PathError{Op: op, Path: "Mail", Err: err} }
	for _, tt := range []struct {
		profile *Profile
		err     error
		want    bool
	}{
		{Darwin, failed("open", syscall.EPERM), true},
		{Darwin, failed("readdir", syscall.EPERM), true},
		{Darwin, failed("lstat", syscall.EPERM), true},
		{Darwin, fmt.Errorf("SRC: %w", failed("open", syscall.EPERM)), true},
		{Darwin, failed("open", syscall.EACCES), false},
		{Darwin, failed("create", syscall.EPERM), false}, // the cause may also be a lock
		{Darwin, failed("remove", syscall.EPERM), false},
		{Darwin, syscall.EPERM, false},
		{Darwin, errors.New("something else"), false},
		{Darwin, nil, false},
		{Linux, failed("open", syscall.EPERM), false},
		{FreeBSD, failed("open", syscall.EPERM), false},
	} {
		if got := tt.profile.MayBePrivate(tt.err); got != tt.want {
			t.Errorf("%v: %v, want %v", tt.err, got, tt.want)
		}
	}
}
