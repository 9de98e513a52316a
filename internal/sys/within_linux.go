package sys

import "golang.org/x/sys/unix"

// OpenDirWithin opens a directory for reading, with further flags of open(2), unless something is mounted on
// it; then it returns EXDEV. It also detects bind mounts of the same file system,
// which have the same device number as their parent. It requires Linux 5.6;
// on older kernels the error is ENOSYS.
func OpenDirWithin(dirfd int, name string, flags uint64) (int, error) {
	how := unix.OpenHow{
		Flags:   unix.O_RDONLY | unix.O_DIRECTORY | unix.O_NOFOLLOW | unix.O_CLOEXEC | flags,
		Resolve: unix.RESOLVE_NO_XDEV,
	}
	return IgnoringEINTR2(func() (int, error) { return unix.Openat2(dirfd, name, &how) })
}
