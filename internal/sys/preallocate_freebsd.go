package sys

import "errors"

// Preallocate is not offered here: posix_fallocate(2) would lengthen the file.
func Preallocate(int, int64) error { return errors.ErrUnsupported }
