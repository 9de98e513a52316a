//go:build !darwin

package localfs

// Prepare does nothing here: as far as the system knows, no file is in the cloud.
func (Host) Prepare(_ bool) error { return nil }
