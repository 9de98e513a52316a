package sys

import (
	"sync"
	"unsafe"

	"golang.org/x/sys/unix"
)

// sysCopyFileRange is the number of copy_file_range(2), which x/sys lacks (freebsd, sys/kern/syscalls.master).
const sysCopyFileRange = 569

// hasCopyFileRange reports whether the kernel is of FreeBSD 13.0 or later (osreldate 1300000). An older kernel kills a
// process that makes an unknown system call.
var hasCopyFileRange = sync.OnceValue(func() bool {
	release, err := unix.SysctlUint32("kern.osreldate")
	return err == nil && release >= 1300000
})

// CopyFileRange copies up to n bytes at offset off of the file in to the same offset of the file out, by
// copy_file_range(2), and returns how many it copied.
func CopyFileRange(in, out int, off int64, n int) (int, error) {
	if !hasCopyFileRange() {
		return 0, unix.ENOSYS
	}
	return IgnoringEINTR2(func() (int, error) {
		from, to := off, off
		copied, _, errno := unix.Syscall6(sysCopyFileRange, uintptr(in), uintptr(unsafe.Pointer(&from)),
			uintptr(out), uintptr(unsafe.Pointer(&to)), uintptr(n), 0)
		if errno != 0 {
			return 0, errno
		}
		return int(copied), nil
	})
}
