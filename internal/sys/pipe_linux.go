package sys

import (
	"os"

	"golang.org/x/sys/unix"
)

// GrowPipe has a pipe take n bytes before who writes to it waits for who reads. It returns an error if f is no pipe,
// or the user may not have one that large.
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
