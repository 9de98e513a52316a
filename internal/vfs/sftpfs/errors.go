package sftpfs

import (
	"errors"
	"io"
	"io/fs"
	"syscall"
)

// errFailure is what servers report where the protocol has no code for an error.
var errFailure = errors.New("the server reports a failure")

// errorOfStatus returns the error for a code of version 3 or of later drafts, which some servers send anyway. OpenSSH
// reports ENOTDIR and ELOOP as "no such file", EPERM as "permission denied", EINVAL and
// ENAMETOOLONG as "bad message", and most others as "failure".
func errorOfStatus(code uint32) error {
	switch code {
	case 2, 10:
		return syscall.ENOENT
	case 3:
		return syscall.EACCES
	case 5, 20:
		return syscall.EINVAL
	case 8:
		return errors.ErrUnsupported
	case 11:
		return syscall.EEXIST
	case 12:
		return syscall.EROFS
	case 14:
		return syscall.ENOSPC
	case 15:
		return syscall.EDQUOT
	case 18:
		return syscall.ENOTEMPTY
	case 19:
		return syscall.ENOTDIR
	case 21:
		return syscall.ELOOP
	case 24:
		return syscall.EISDIR
	}
	return errFailure
}

// Codes that only packages and proxies report, not servers.
const (
	noConnection   = 6
	connectionLost = 7
)

// pathError returns err as the error of an operation on name, or nil if err is nil.
func pathError(op, name string, err error) error {
	switch {
	case err == nil:
		return nil
	case err == io.EOF: // a status that makes sense only for reading
		err = errFailure
	}
	return &fs.PathError{Op: op, Path: name, Err: err}
}

// unwrapped returns what a *fs.PathError wraps.
func unwrapped(err error) error {
	if pe, ok := err.(*fs.PathError); ok {
		return pe.Err
	}
	return err
}

// attrError is pathError for a change of attributes. A system that does not permit one usually returns EPERM.
func attrError(op, name string, err error) error {
	if err == syscall.EACCES {
		err = syscall.EPERM
	}
	return pathError(op, name, err)
}
