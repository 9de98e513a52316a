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
	var buf [1024]byte
	return startOf(readShort(fmt.Sprintf("/proc/%d/stat", pid), buf[:]))
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

// isZombie reports whether a process has ended and is still listed. The main thread of a process that has exited while
// other threads go on, such as in a call that hangs, looks the same, so it must be the only thread.
func isZombie(pid int) bool {
	var buf [1024]byte
	stat := readShort(fmt.Sprintf("/proc/%d/stat", pid), buf[:])
	fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
	const threads = 20 - 3
	return len(fields) > threads && string(fields[0]) == "Z" && len(fields[threads]) == 1 && fields[threads][0] <= '1'
}

// ProcessNamespace identifies the PID namespace of the process, within this boot of the system.
func ProcessNamespace() string {
	ns, _ := os.Readlink("/proc/self/ns/pid")
	return ns
}

// BootID identifies this boot of the system, or is empty if that is unknown.
func BootID() string { return readLine("/proc/sys/kernel/random/boot_id") }

// MachineID identifies the installation of the system, or is empty if that is unknown. Installations made from one
// image may share it.
func MachineID() string { return readLine("/etc/machine-id") }

func readLine(path string) string {
	var buf [256]byte
	return strings.TrimSpace(string(readShort(path, buf[:])))
}

// readShort reads a file that fits into buf. It returns nothing if the file cannot be read. Each run of psync calls it
// several times: package os would register the files with the poller, which takes twice as long.
func readShort(path string, buf []byte) []byte {
	fd, err := IgnoringEINTR2(func() (int, error) { return unix.Open(path, unix.O_RDONLY|unix.O_CLOEXEC, 0) })
	if err != nil {
		return nil
	}
	defer unix.Close(fd)
	n, err := IgnoringEINTR2(func() (int, error) { return unix.Read(fd, buf) })
	if err != nil {
		return nil
	}
	return buf[:n]
}

// BootTime returns when the system was booted, according to the current clock, or the zero time if that is
// unknown.
func BootTime() time.Time {
	var up unix.Timespec
	if unix.ClockGettime(unix.CLOCK_BOOTTIME, &up) != nil {
		return time.Time{}
	}
	return time.Now().Add(-time.Duration(up.Nano()))
}
