package sys

import (
	"os"

	"golang.org/x/sys/unix"
)

// GrowPipe sets the capacity of a pipe to at least n bytes. It returns an error if f is not a pipe, or the user may
// not have such a large pipe.
func GrowPipe(f *os.File, n int) error {
	conn, err := f.SyscallConn()
	if err != nil {
		return err
	}
	var failed error
	err = conn.Control(func(fd uintptr) { _, failed = unix.FcntlInt(fd, unix.F_SETPIPE_SZ, n) })
	if err == nil {
		err = os.NewSyscallError("fcntl", failed)
	}
	return err
}
