package faultfs

import (
	"errors"
	"io/fs"

	"psync/internal/vfs"
)

// A hook is called before each operation. Its error prevents the operation.
type hook func(op string, at place) error

// A place is where an operation is.
type place struct {
	in   *place // the directory; nil for the root
	name string
}

// path returns the path below the root.
func (p place) path() string {
	if p.in == nil || p.in.in == nil {
		return p.name
	}
	return p.in.path() + "/" + p.name
}

// call calls the hook.
func (h hook) call(op string, at place) error {
	if h == nil {
		return nil
	}
	if err := h(op, at); err != nil {
		return &fs.PathError{Op: op, Path: at.name, Err: err}
	}
	return nil
}

// offer calls the hook before an operation, unless that is not among caps.
func (h hook) offer(caps, want vfs.Caps, op string, at place) error {
	if !caps.Has(want) {
		return &fs.PathError{Op: op, Path: at.name, Err: errors.ErrUnsupported}
	}
	return h.call(op, at)
}

// unless runs an operation if err is nil.
func unless(err error, f func() error) error {
	if err != nil {
		return err
	}
	return f()
}

// set runs an operation that takes one value if err is nil, and get one that returns something, too.
func set[A any](err error, f func(A) error, a A) error {
	if err != nil {
		return err
	}
	return f(a)
}

func get[A, T any](err error, f func(A) (T, error), a A) (r T, _ error) {
	if err != nil {
		return r, err
	}
	return f(a)
}
