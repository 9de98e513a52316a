package bench

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"runtime/debug"
	"syscall"
)

// memoryDir returns the directory for files in memory.
func memoryDir() (dir string, ok bool) {
	const tmpfsMagic = 0x01021994
	var st syscall.Statfs_t
	err := syscall.Statfs("/dev/shm", &st)
	return "/dev/shm", err == nil && st.Type == tmpfsMagic
}

// system names the operating system and its version.
func system() string {
	release, err := os.ReadFile("/proc/sys/kernel/osrelease")
	if err != nil {
		return "Linux"
	}
	return "Linux " + string(bytes.TrimSpace(release))
}

// peakRSS returns the peak resident set of this process in bytes, 0 if unknown.
// A child shares our memory until it calls exec, and Linux counts that in: no
// child has a lower maximum than this one.
func peakRSS() int64 {
	f, err := os.Open("/proc/self/status")
	if err != nil {
		return 0
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var kib int64
		if _, err := fmt.Sscanf(lines.Text(), "VmHWM: %d kB", &kib); err == nil {
			return kib << 10
		}
	}
	return 0
}

// resetPeakRSS makes peakRSS as low as it can be. Where that is refused, less is
// known of small tools, but nothing is wrong.
func resetPeakRSS() {
	debug.FreeOSMemory()
	_ = os.WriteFile("/proc/self/clear_refs", []byte("5"), 0)
}
