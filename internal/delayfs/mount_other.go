//go:build !linux

package delayfs

import (
	"errors"
	"fmt"
)

// Mount makes what is in root appear at mountpoint, on Linux.
// Here it fails by an error that wraps [errors.ErrUnsupported].
func Mount(_, _ string, _ Options) (*FS, error) {
	return nil, fmt.Errorf("delayfs: %w", errors.ErrUnsupported)
}
