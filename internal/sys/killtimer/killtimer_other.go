//go:build !linux

package killtimer

import (
	"errors"
	"time"
)

// A Timer kills this process. Only Linux has one whose clock goes on while the system sleeps.
type Timer struct{}

// New returns [errors.ErrUnsupported].
func New() (*Timer, error) { return nil, errors.ErrUnsupported }

// Arm returns [errors.ErrUnsupported].
func (*Timer) Arm(time.Duration) error { return errors.ErrUnsupported }

// Close returns [errors.ErrUnsupported].
func (*Timer) Close() error { return errors.ErrUnsupported }

// SinceBoot returns 0.
func SinceBoot() time.Duration { return 0 }
