package sys

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// ProcessStart returns when a process was started, in clock ticks since the system was booted. It returns
// false if that cannot be determined.
func ProcessStart(pid int) (uint64, bool) {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, false
	}
	return startOf(stat)
}

// startOf returns the 22nd field of a line of /proc/PID/stat. The second one, the name of the program, is in
// parentheses and may hold anything.
func startOf(stat []byte) (uint64, bool) {
	fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
	const start = 22 - 3 // the third is the first of these
	if len(fields) <= start {
		return 0, false
	}
	n, err := strconv.ParseUint(string(fields[start]), 10, 64)
	return n, err == nil
}

// ProcessNamespace identifies the space in which process numbers have a meaning, within this boot
// of the system.
func ProcessNamespace() string {
	ns, _ := os.Readlink("/proc/self/ns/pid")
	return ns
}

// BootID identifies this boot of the system, or is empty if that is not known.
func BootID() string { return readLine("/proc/sys/kernel/random/boot_id") }

// MachineID identifies the installation of the system, or is empty if that is unknown. Installations made from one
// image may share it.
func MachineID() string { return readLine("/etc/machine-id") }

func readLine(path string) string {
	line, _ := os.ReadFile(path)
	return strings.TrimSpace(string(line))
}

// BootTime returns when the system was booted, by the clock as it goes now, or zero.
func BootTime() time.Time {
	var up unix.Timespec
	if unix.ClockGettime(unix.CLOCK_BOOTTIME, &up) != nil {
		return time.Time{}
	}
	return time.Now().Add(-time.Duration(up.Nano()))
}
