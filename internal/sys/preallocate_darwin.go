package sys

import "golang.org/x/sys/unix"

// Preallocate allocates blocks for the first n bytes of a new file without changing its
// length.
func Preallocate(fd int, n int64) error {
	store := unix.Fstore_t{Flags: unix.F_ALLOCATEALL, Posmode: unix.F_PEOFPOSMODE, Length: n}
	return IgnoringEINTR(func() error { return unix.FcntlFstore(uintptr(fd), unix.F_PREALLOCATE, &store) })
}
