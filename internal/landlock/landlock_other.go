//go:build !linux

package landlock

import "errors"

// A Ruleset does not exist on this system.
type Ruleset struct{}

// New returns an error that matches [errors.ErrUnsupported].
func New() (*Ruleset, error) { return nil, errors.ErrUnsupported }

func (*Ruleset) Allow(int, Change) error { return nil }
func (*Ruleset) Enforce() error          { return nil }
func (*Ruleset) Close()                  {}
