//go:build !linux

package sys

// isZombie reports whether a process has ended and is still listed, which is not found out here.
func isZombie(int) bool { return false }
