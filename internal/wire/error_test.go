package wire_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"syscall"
	"testing"

	"psync/internal/vfs"
	"psync/internal/wire"
)

func TestErrorsMatchOnTheOtherSide(t *testing.T) {
	for _, tt := range []struct {
		err  error
		name string
		is   error
		text string
	}{
		{syscall.ENOENT, "ENOENT", fs.ErrNotExist, syscall.ENOENT.Error()},
		{&fs.PathError{Op: "open", Path: "/secret", Err: syscall.EACCES}, "EACCES", fs.ErrPermission, syscall.EACCES.Error()},
		{&os.LinkError{Op: "link", Old: "a", New: "b", Err: syscall.EXDEV}, "EXDEV", syscall.EXDEV, syscall.EXDEV.Error()},
		{os.NewSyscallError("read", syscall.EIO), "EIO", syscall.EIO, syscall.EIO.Error()},
		{fmt.Errorf("read the ACL: %w", syscall.EIO), "EIO", syscall.EIO, "read the ACL: " + syscall.EIO.Error()},
		{errors.ErrUnsupported, "unsupported", errors.ErrUnsupported, errors.ErrUnsupported.Error()},
		{syscall.EOPNOTSUPP, wire.ErrorOf(syscall.EOPNOTSUPP).Name, errors.ErrUnsupported, syscall.EOPNOTSUPP.Error()},
		{vfs.ErrMount, "mount", vfs.ErrMount, vfs.ErrMount.Error()},
		{vfs.ErrNotTried, "not-tried", vfs.ErrNotTried, vfs.ErrNotTried.Error()},
		{fs.ErrExist, "exist", fs.ErrExist, fs.ErrExist.Error()},
		{fs.ErrNotExist, "not-exist", fs.ErrNotExist, fs.ErrNotExist.Error()},
		{fs.ErrPermission, "permission", fs.ErrPermission, fs.ErrPermission.Error()},
		{io.EOF, "eof", io.EOF, "EOF"},
		{context.Canceled, "stopped", context.Canceled, context.Canceled.Error()},
		{errors.New("something \x1b[2J else"), "", nil, "something ?[2J else"},
		{errors.New(strings.Repeat("ä", 4000)), "", nil, strings.Repeat("ä", 2048)},
	} {
		e := wire.ErrorOf(tt.err)
		if e.Name != tt.name {
			t.Errorf("%v is called %q, want %q", tt.err, e.Name, tt.name)
		}
		if _, err := wire.Append(nil, wire.Frame{Message: e}); err != nil {
			t.Errorf("%v: %v", tt.err, err)
		}
		if err := e.Err(); tt.is != nil && !errors.Is(err, tt.is) || err.Error() != tt.text {
			t.Errorf("%v becomes %v, want %q that matches %v", tt.err, err, tt.text, tt.is)
		}
	}
	for _, strict := range []bool{false, true} {
		err := wire.ErrorOf(&fs.PathError{Err: &vfs.UntrustedLinkError{Owner: 7, Strict: strict}}).Err()
		if u, ok := errors.AsType[*vfs.UntrustedLinkError](err); !ok || u.Owner != 7 || u.Strict != strict {
			t.Errorf("an untrusted link becomes %v", err)
		}
	}
	err := wire.ErrorOf(&fs.PathError{Err: &vfs.GroupOnlyError{Err: syscall.EPERM}}).Err()
	if _, ok := errors.AsType[*vfs.GroupOnlyError](err); !ok || !errors.Is(err, syscall.EPERM) {
		t.Errorf("an owner of which only the group was set becomes %#v", err)
	}
}

func TestNoErrorStaysNone(t *testing.T) {
	if e := wire.ErrorOf(nil); e != nil || e.Err() != nil {
		t.Errorf("%v, %v", e, e.Err())
	}
}

func TestUnknownErrorsAreErrors(t *testing.T) {
	for _, e := range []wire.Error{{}, {Name: "EFUTURE"}, {Name: "untrusted-link", Text: "x"}} {
		if err := e.Err(); err == nil || err.Error() == "" {
			t.Errorf("%+v: %v", e, err)
		}
	}
}
