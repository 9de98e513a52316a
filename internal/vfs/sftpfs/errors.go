package sftpfs

import (
	"errors"
	"io"
	"io/fs"
	"syscall"
)

// errFailure is what servers report where the protocol has no code for an error.
var errFailure = errors.New("the server reports a failure")

// statuses maps codes of version 3 to errors, and those of later drafts, which some servers send anyway. OpenSSH
// reports ENOTDIR and ELOOP as "no such file", EPERM as "permission denied", EINVAL and
// ENAMETOOLONG as "bad message", and most others as "failure".
var statuses = map[uint32]error{
	2:  syscall.ENOENT,
	3:  syscall.EACCES,
	4:  errFailure,
	5:  syscall.EINVAL,
	8:  errors.ErrUnsupported,
	10: syscall.ENOENT,
	11: syscall.EEXIST,
	12: syscall.EROFS,
	14: syscall.ENOSPC,
	15: syscall.EDQUOT,
	18: syscall.ENOTEMPTY,
	19: syscall.ENOTDIR,
	20: syscall.EINVAL,
	21: syscall.ELOOP,
	24: syscall.EISDIR,
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
