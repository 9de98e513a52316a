package sys

import "golang.org/x/sys/unix"

// ProcessRuns reports whether a process is running on this host that has this number and was
// started then, as [ProcessStart] tells; a start of 0 matches any.
func ProcessRuns(pid int, start uint64) bool {
	if err := unix.Kill(pid, 0); err != nil && err != unix.EPERM {
		return false
	}
	now, known := ProcessStart(pid)
	return !known || start == 0 || now == start
}
