//go:build !linux

package sys

import (
	"errors"
	"os"
)

// GrowPipe returns [errors.ErrUnsupported]: the capacity of a pipe cannot be set on this system.
func GrowPipe(*os.File, int) error { return errors.ErrUnsupported }
