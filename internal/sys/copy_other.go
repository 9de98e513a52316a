//go:build unix && !linux

package sys

// HasDefaultACL reports false: POSIX default ACLs are Linux's.
func HasDefaultACL(int) bool { return false }
