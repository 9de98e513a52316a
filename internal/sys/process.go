package sys

import "golang.org/x/sys/unix"

// ProcessRuns reports whether the process with this number is running on this host and was
// started at start, in the units of [ProcessStart]; a start of 0 matches any. A zombie is not running: the first
// process of a container may never reap its children.
func ProcessRuns(pid int, start uint64) bool {
	if err := unix.Kill(pid, 0); err != nil && err != unix.EPERM {
		return false
	}
	if isZombie(pid) {
		return false
	}
	now, known := ProcessStart(pid)
	return !known || start == 0 || now == start
}
