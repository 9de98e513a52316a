package sys

import (
	"os/exec"
	"syscall"

	"golang.org/x/sys/unix"
)

// DieWithParent has the kernel kill a process that is about to be started when the thread that starts it ends.
func DieWithParent(c *exec.Cmd) { c.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL} }

// Capabilities returns the effective capabilities of this process, as bits.
func Capabilities() uint64 {
	header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var data [2]unix.CapUserData
	if err := unix.Capget(&header, &data[0]); err != nil {
		return 0
	}
	return uint64(data[1].Effective)<<32 | uint64(data[0].Effective)
}
