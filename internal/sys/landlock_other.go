//go:build !linux

package sys

import "errors"

// A Landlock does not exist on this system.
type Landlock struct{}

// NewLandlock returns an error that matches [errors.ErrUnsupported].
func NewLandlock() (*Landlock, error) { return nil, errors.ErrUnsupported }

func (*Landlock) Allow(int, Change) error { return nil }
func (*Landlock) Enforce() error          { return nil }
func (*Landlock) Close()                  {}
