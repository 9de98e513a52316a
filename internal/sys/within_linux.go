package sys

import "golang.org/x/sys/unix"

// OpenDirWithin opens a directory for reading, but not one that something is
// mounted on: then it returns EXDEV. It tells bind mounts of the same file system,
// too, which have the device number of their surroundings. The kernel must be
// of version 5.6 at least; on older ones the error is ENOSYS.
func OpenDirWithin(dirfd int, name string) (fd int, err error) {
	how := unix.OpenHow{
		Flags:   unix.O_RDONLY | unix.O_DIRECTORY | unix.O_NOFOLLOW | unix.O_CLOEXEC,
		Resolve: unix.RESOLVE_NO_XDEV,
	}
	err = IgnoringEINTR(func() error {
		fd, err = unix.Openat2(dirfd, name, &how)
		return err
	})
	return fd, err
}
