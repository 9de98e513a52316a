package bench

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"runtime/debug"
	"strings"
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
	defer func() { _ = f.Close() }()
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
	dropProgram()
	_ = os.WriteFile("/proc/self/clear_refs", []byte("5"), 0)
}

// dropProgram gives back the memory that holds the program itself, of which most was needed at the
// start alone. What is needed again is read from the file again, so nothing may have been changed in it.
func dropProgram() {
	mappings, err := os.ReadFile("/proc/self/smaps")
	if err != nil {
		return
	}
	var start, end uintptr
	var asInFile bool
	for line := range strings.Lines(string(mappings)) {
		fields := strings.Fields(line)
		switch key := fields[0]; {
		case strings.Contains(key, "-"): // a mapping: its place, access, offset, device, inode and file
			_, err := fmt.Sscanf(key, "%x-%x", &start, &end)
			asInFile = err == nil && len(fields) > 5 && strings.HasPrefix(fields[5], "/") && !strings.Contains(fields[1], "w")
		case key == "Anonymous:", key == "Swap:":
			asInFile = asInFile && fields[1] == "0"
		case key == "VmFlags:" && asInFile: // the last line about it
			_, _, _ = syscall.Syscall(syscall.SYS_MADVISE, start, end-start, syscall.MADV_DONTNEED)
		}
	}
}
