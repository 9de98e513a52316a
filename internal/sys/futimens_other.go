//go:build unix && !darwin && !freebsd && !(linux && (amd64 || arm64))

package sys

import (
	"errors"

	"golang.org/x/sys/unix"
)

// Futimens returns errors.ErrUnsupported: on this system times are set by name.
func Futimens(int, *[2]unix.Timespec) error { return errors.ErrUnsupported }
