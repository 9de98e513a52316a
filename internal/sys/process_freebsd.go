package sys

import (
	"time"

	"golang.org/x/sys/unix"
)

// ProcessStart returns false: that is not found out here.
func ProcessStart(int) (uint64, bool) { return 0, false }

// BootID identifies this boot of the system, or is empty if that is not known.
func BootID() string {
	id, err := unix.SysctlRaw("kern.boot_id")
	if err == nil {
		return string(id)
	}
	// Setting the clock moves the time, which makes processes of this boot ones to leave alone.
	return MachineID() + BootTime().Format(time.RFC3339)
}

// MachineID identifies the installation of the system, or is empty. Those made from one
// image may share it.
func MachineID() string { return firstSysctl("kern.hostuuid") }
