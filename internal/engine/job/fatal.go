package job

import (
	"errors"
	"syscall"
)

// A FatalError ends a run: nothing more can be written to the destination.
type FatalError struct{ Err syscall.Errno }

func (e *FatalError) Error() string { return "nothing more can be written: " + e.Err.Error() }
func (e *FatalError) Unwrap() error { return e.Err }

// Fatal returns the FatalError that an error of the destination amounts to, or nil
// if other entries may still be written.
func Fatal(err error) error {
	var errno syscall.Errno
	if !errors.As(err, &errno) {
		return nil
	}
	switch errno {
	case syscall.ENOSPC, syscall.EDQUOT, syscall.EROFS:
		return &FatalError{errno}
	}
	return nil
}
