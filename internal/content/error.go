package content

import (
	"errors"

	"psync/internal/vfs"
)

// ErrChanged reports that the size of a file differs from its size at the start.
var ErrChanged = errors.New("changed while it was copied")

// A ReadError wraps an error on the side of the source.
type ReadError struct{ Err error }

func (e *ReadError) Error() string { return e.Err.Error() }
func (e *ReadError) Unwrap() error { return e.Err }

// unchanged returns an error if the size of f is no longer the size in attr.
func unchanged(f vfs.File, attr vfs.Attr) error {
	now, err := vfs.Stat(f)
	if err == nil && now.Size != attr.Size {
		err = ErrChanged
	}
	if err != nil {
		return &ReadError{err}
	}
	return nil
}
