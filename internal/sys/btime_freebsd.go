package sys

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// SetBtime sets the creation time of an open file, which can only be moved back:
// the system changes it only so that it is not after the modification time
// (freebsd, sys/kern/vfs_syscalls.c). So SetBtime sets the modification time, and then
// restores it. A time after the creation or modification time cannot be set.
func SetBtime(fd int, t unix.Timespec) error {
	var st unix.Stat_t
	if err := Fstat(fd, &st); err != nil {
		return err
	}
	return lowerBtime(&st, t, func(times *[2]unix.Timespec) error { return Futimens(fd, times) })
}

// SetBtimeAt is SetBtime for an entry by name. It does not follow a symbolic link.
func SetBtimeAt(dirfd int, name string, t unix.Timespec) error {
	var st unix.Stat_t
	if err := Lstatat(dirfd, name, &st); err != nil {
		return err
	}
	return lowerBtime(&st, t, func(times *[2]unix.Timespec) error {
		return IgnoringEINTR(func() error { return unix.UtimesNanoAt(dirfd, name, times[:], unix.AT_SYMLINK_NOFOLLOW) })
	})
}

func lowerBtime(st *unix.Stat_t, t unix.Timespec, set func(*[2]unix.Timespec) error) error {
	switch {
	case t == st.Btim:
		return nil
	case after(t, st.Btim), after(t, st.Mtim):
		return unix.EOPNOTSUPP
	}
	atime := unix.Timespec{Nsec: UtimeOmit}
	if err := set(&[2]unix.Timespec{atime, t}); err != nil {
		return err
	}
	return set(&[2]unix.Timespec{atime, st.Mtim})
}

func after(a, b unix.Timespec) bool { return a.Sec > b.Sec || a.Sec == b.Sec && a.Nsec > b.Nsec }

// Lchflagsat sets the flags of an entry. It does not follow a symbolic link.
func Lchflagsat(dirfd int, name string, flags uint32) error {
	p, err := unix.BytePtrFromString(name)
	if err != nil {
		return err
	}
	return IgnoringEINTR(func() error {
		_, _, errno := unix.Syscall6(unix.SYS_CHFLAGSAT, uintptr(dirfd), uintptr(unsafe.Pointer(p)), uintptr(flags), unix.AT_SYMLINK_NOFOLLOW, 0, 0)
		return result(errno)
	})
}
