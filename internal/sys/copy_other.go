//go:build unix && !linux

package sys

// HasDefaultACL returns false: POSIX default ACLs are specific to Linux.
func HasDefaultACL(int) bool { return false }
