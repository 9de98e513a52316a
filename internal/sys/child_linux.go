package sys

import (
	"syscall"

	"golang.org/x/sys/unix"
)

// DieWithParent has the kernel kill a process that is started with a when the thread that has started it ends.
func DieWithParent(a *syscall.SysProcAttr) { a.Pdeathsig = syscall.SIGKILL }

// Capabilities returns the effective capabilities of this process, as bits.
func Capabilities() uint64 {
	header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var data [2]unix.CapUserData
	if err := unix.Capget(&header, &data[0]); err != nil {
		return 0
	}
	return uint64(data[1].Effective)<<32 | uint64(data[0].Effective)
}
