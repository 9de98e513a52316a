//go:build unix && !linux

package sys

import "errors"

// PunchHole is not offered here: macOS has F_PUNCHHOLE for whole blocks only, FreeBSD
// has fspacectl(2) since 14, and x/sys has neither.
func PunchHole(int, int64, int64) error { return errors.ErrUnsupported }
