//go:build unix && !linux

package sys

import "errors"

// Clone is not offered here.
func Clone(int, int) error { return errors.ErrUnsupported }

// CopyFileRange is not offered here.
func CopyFileRange(int, int, int64, int) (int, error) { return 0, errors.ErrUnsupported }

// NextData is not offered here: on macOS, asking has lost data (APFS answers
// from what has reached the disk).
func NextData(int, int64) (start, end int64, err error) { return 0, 0, errors.ErrUnsupported }

// AdviseSequential does nothing here.
func AdviseSequential(int) {}

// HasDefaultACL reports false: POSIX default ACLs are Linux's.
func HasDefaultACL(int) bool { return false }
