package faultfs

import (
	"errors"
	"io/fs"

	"psync/internal/vfs"
)

// A hook is called before each operation, which its error prevents.
type hook func(op, name string) error

func (h hook) call(op, name string) error {
	if h == nil {
		return nil
	}
	if err := h(op, name); err != nil {
		return &fs.PathError{Op: op, Path: name, Err: err}
	}
	return nil
}

// offer calls the hook before an operation, unless that is not among caps.
func (h hook) offer(caps, want vfs.Caps, op, name string) error {
	if !caps.Has(want) {
		return &fs.PathError{Op: op, Path: name, Err: errors.ErrUnsupported}
	}
	return h.call(op, name)
}
