package sys

import "golang.org/x/sys/unix"

// Getflags returns the flags that chattr(1) sets. They are those of the entry name in the directory dirfd or,
// if name is empty, of the open file dirfd.
func Getflags(dirfd int, name string) (flags uint32, err error) {
	err = withFlags(dirfd, name, func(fd int) error {
		flags, err = unix.IoctlGetUint32(fd, unix.FS_IOC_GETFLAGS)
		return err
	})
	return flags, err
}

// Setflags replaces the flags that [Getflags] returns.
func Setflags(dirfd int, name string, flags uint32) error {
	return withFlags(dirfd, name, func(fd int) error {
		return unix.IoctlSetPointerInt(fd, unix.FS_IOC_SETFLAGS, int(flags))
	})
}

// withFlags opens a file or directory for an ioctl about its flags. Other types have
// none, and are not opened: opening a device may have side effects. If a fifo or a terminal has
// replaced the entry meanwhile, opening does not block, nor does the terminal become the controlling one.
func withFlags(dirfd int, name string, ioctl func(fd int) error) error {
	if name == "" {
		return IgnoringEINTR(func() error { return ioctl(dirfd) })
	}
	var st unix.Stat_t
	if err := Lstatat(dirfd, name, &st); err != nil {
		return err
	}
	if t := st.Mode & unix.S_IFMT; t != unix.S_IFREG && t != unix.S_IFDIR {
		return unix.EOPNOTSUPP
	}
	fd, err := Openat(dirfd, name, unix.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK|unix.O_NOCTTY, 0)
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	return IgnoringEINTR(func() error { return ioctl(fd) })
}
