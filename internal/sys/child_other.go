//go:build !linux

package sys

import "syscall"

// DieWithParent has no effect.
func DieWithParent(*syscall.SysProcAttr) {}

// Capabilities returns 0: privilege follows from the user alone.
func Capabilities() uint64 { return 0 }
