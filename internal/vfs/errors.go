package vfs

import (
	"errors"
	"io/fs"
)

// PathError returns err as the error of an operation on the entry at path, or nil if err is nil.
func PathError(op, path string, err error) error {
	if err == nil {
		return nil
	}
	return &fs.PathError{Op: op, Path: path, Err: err}
}

// IgnoreNotExist returns err unless it says that an entry does not exist.
func IgnoreNotExist(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// JoinErrors joins two errors, either of which may be nil, as when a file is closed after a failure. Unlike
// [errors.Join], it returns a single error unchanged, and returns only err if that already wraps the other.
func JoinErrors(err, also error) error {
	switch {
	case also == nil:
		return err
	case err == nil:
		return also
	case errors.Is(err, also):
		return err
	}
	return errors.Join(err, also)
}
