package faultfs

import (
	"errors"
	"io/fs"
	"path"

	"psync/internal/vfs"
)

// A hook is called before each operation, with the path below the root. Its error prevents the operation.
type hook func(op, at string) error

// byName returns a hook that tells f the last element of the path only.
func byName(f func(op, name string) error) hook {
	if f == nil {
		return nil
	}
	return func(op, at string) error { return f(op, path.Base(at)) }
}

// A place is where operations are, and the hook that hears of them.
type place struct {
	path string // below the root
	hook hook
}

// at returns the place of an entry of a directory.
func (p place) at(name string) place {
	if p.path != "." {
		name = p.path + "/" + name
	}
	return place{name, p.hook}
}

// name is what the place is called in its directory.
func (p place) name() string { return path.Base(p.path) }

// call calls the hook. Errors are about name.
func (p place) call(op, name string) error {
	if p.hook == nil {
		return nil
	}
	if err := p.hook(op, p.path); err != nil {
		return &fs.PathError{Op: op, Path: name, Err: err}
	}
	return nil
}

// offer calls the hook before an operation, unless that is not among caps.
func (p place) offer(caps, want vfs.Caps, op, name string) error {
	if !caps.Has(want) {
		return &fs.PathError{Op: op, Path: name, Err: errors.ErrUnsupported}
	}
	return p.call(op, name)
}
