package content

import (
	"errors"

	"psync/internal/vfs"
)

// ErrChanged says that a file has another size than it had at the start.
var ErrChanged = errors.New("changed while it was copied")

// A ReadError wraps what went wrong on the side of the source.
type ReadError struct{ Err error }

func (e *ReadError) Error() string { return e.Err.Error() }
func (e *ReadError) Unwrap() error { return e.Err }

// unchanged returns an error if f does not have the size any more that attr says.
func unchanged(f vfs.File, attr vfs.Attr) error {
	now, err := f.Stat()
	if err == nil && now.Size != attr.Size {
		err = ErrChanged
	}
	if err != nil {
		return &ReadError{err}
	}
	return nil
}
