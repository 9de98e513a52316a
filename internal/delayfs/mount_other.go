//go:build !linux

package delayfs

import (
	"errors"
	"fmt"
)

// Mount makes the contents of root appear at mountpoint on Linux. On this system it returns an error that wraps
// [errors.ErrUnsupported].
func Mount(_, _ string, _ Options) (*FS, error) {
	return nil, fmt.Errorf("delayfs: %w", errors.ErrUnsupported)
}
