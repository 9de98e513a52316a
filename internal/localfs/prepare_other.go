//go:build !darwin

package localfs

import "psync/internal/vfs"

// Prepare implements [vfs.Host]. It does nothing: this system has no files whose contents are in the cloud.
func (Host) Prepare(vfs.Preparation) error { return nil }
