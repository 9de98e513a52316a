//go:build !darwin

package localfs

// Prepare implements [vfs.Host]. It does nothing: this system has no files whose contents are in the cloud.
func (Host) Prepare(_ bool) error { return nil }
