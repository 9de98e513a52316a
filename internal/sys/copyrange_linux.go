package sys

import "golang.org/x/sys/unix"

// CopyFileRange copies up to n bytes at offset off of the file in to the same offset of the file out, by
// copy_file_range(2), and returns how many it copied.
func CopyFileRange(in, out int, off int64, n int) (int, error) {
	return IgnoringEINTR2(func() (int, error) {
		from, to := off, off
		return unix.CopyFileRange(in, &from, out, &to, n, 0)
	})
}
