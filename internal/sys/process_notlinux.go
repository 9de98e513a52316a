//go:build !linux

package sys

// isZombie returns false: on this system zombies count as running.
func isZombie(int) bool { return false }
