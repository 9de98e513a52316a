//go:build !linux

package sys

import (
	"errors"
	"os"
)

// GrowPipe returns [errors.ErrUnsupported]: the system decides how many bytes a pipe takes.
func GrowPipe(*os.File, int) error { return errors.ErrUnsupported }
