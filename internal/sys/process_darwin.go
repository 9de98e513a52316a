package sys

import "golang.org/x/sys/unix"

// ProcessStart returns when a process was started, in microseconds since 1970. It returns false if that
// cannot be determined.
func ProcessStart(pid int) (uint64, bool) {
	p, err := unix.SysctlKinfoProc("kern.proc.pid", pid)
	if err != nil {
		return 0, false
	}
	start := p.Proc.P_starttime
	return uint64(start.Sec)*1e6 + uint64(start.Usec), true
}

// BootID identifies this boot of the system, or is empty if that is unknown.
func BootID() string { return firstSysctl("kern.bootsessionuuid") }

// MachineID identifies the machine, or is empty if that is unknown.
func MachineID() string { return firstSysctl("kern.uuid") }
