package faultfs

import (
	"errors"
	"io/fs"

	"psync/internal/vfs"
)

// A hook is called before each operation. Its error prevents the operation.
type hook func(op string, at place) error

// byName returns a hook that tells f the name only.
func byName(f func(op, name string) error) hook {
	if f == nil {
		return nil
	}
	return func(op string, at place) error { return f(op, at.name) }
}

// A place is where an operation is.
type place struct {
	in   *place // the directory; nil for the root
	name string
}

func root() *place { return &place{name: "."} }

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

// result runs an operation that returns something if err is nil.
func result[T any](err error, f func() (T, error)) (r T, _ error) {
	if err != nil {
		return r, err
	}
	return f()
}
