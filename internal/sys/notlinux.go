//go:build !linux

package sys

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// What follows stands for what only Linux has.

// OpenDirWithin returns ENOSYS: on this system mounts are detected by their device numbers.
func OpenDirWithin(int, string, uint64) (fd int, err error) { return -1, unix.ENOSYS }

// GrowPipe returns [errors.ErrUnsupported]: the capacity of a pipe cannot be set on this system.
func GrowPipe(*os.File, int) error { return errors.ErrUnsupported }

// isZombie returns false: on this system zombies count as running.
func isZombie(int) bool { return false }
