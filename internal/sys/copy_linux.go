package sys

import "golang.org/x/sys/unix"

// Clone makes the contents of dst share the blocks of src: ioctl FICLONE.
func Clone(dst, src int) error {
	return IgnoringEINTR(func() error { return unix.IoctlFileClone(dst, src) })
}

// CopyFileRange copies up to n bytes from src to dst, at the same offset in both.
func CopyFileRange(dst, src int, off int64, n int) (int, error) {
	for {
		in, out := off, off
		if n, err := unix.CopyFileRange(src, &in, dst, &out, n, 0); err != unix.EINTR {
			return n, err
		}
	}
}

// NextData returns the next range [start, end) at or after off that holds data.
// It returns ENXIO when only a hole remains. It moves the file's offset.
func NextData(fd int, off int64) (start, end int64, err error) {
	err = IgnoringEINTR(func() error {
		if start, err = unix.Seek(fd, off, unix.SEEK_DATA); err != nil {
			return err
		}
		end, err = unix.Seek(fd, start, unix.SEEK_HOLE)
		return err
	})
	return start, end, err
}

// AdviseSequential advises the kernel that fd is read once, in order.
func AdviseSequential(fd int) { _ = unix.Fadvise(fd, 0, 0, unix.FADV_SEQUENTIAL) }

// HasDefaultACL reports whether the directory has an ACL that its new entries
// inherit, which takes the place of the umask.
func HasDefaultACL(dirfd int) bool {
	n, err := unix.Fgetxattr(dirfd, "system.posix_acl_default", nil)
	return err == nil && n > 0
}
