package sys

import (
	"time"

	"golang.org/x/sys/unix"
)

// ProcessStart returns false: x/sys does not decode struct kinfo_proc, which has the time. A process is then
// identified by its PID alone.
func ProcessStart(int) (uint64, bool) { return 0, false }

// BootID identifies this boot of the system, or is empty if that is unknown.
func BootID() string {
	id, err := unix.SysctlRaw("kern.boot_id")
	if err == nil {
		return string(id)
	}
	// Setting the clock changes the boot time. Processes of this boot are then unknown and left alone.
	return MachineID() + BootTime().Format(time.RFC3339)
}

// MachineID identifies the installation of the system, or is empty if that is unknown. Installations made
// from one image may share it.
func MachineID() string { return firstSysctl("kern.hostuuid") }
