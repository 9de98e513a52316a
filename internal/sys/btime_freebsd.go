package sys

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// SetBtime sets the time of birth of an open file, to one before that which it has:
// the system moves it only to keep it from being after the modification time
// (freebsd, sys/kern/vfs_syscalls.c). So that is set, and then set back. A time
// after that of birth, or of modification, cannot be had.
func SetBtime(fd int, t unix.Timespec) error {
	var st unix.Stat_t
	if err := Fstat(fd, &st); err != nil {
		return err
	}
	return lowerBtime(&st, t, func(times *[2]unix.Timespec) error { return Futimens(fd, times) })
}

// SetBtimeAt is SetBtime of an entry, of a symbolic link itself too.
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

// Lchflagsat sets the flags of an entry, of a symbolic link itself too.
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
