//go:build !linux

package sys

import "os/exec"

// DieWithParent has no effect.
func DieWithParent(*exec.Cmd) {}

// Capabilities returns 0: privilege follows from the user alone.
func Capabilities() uint64 { return 0 }
