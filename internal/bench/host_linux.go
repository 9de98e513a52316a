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

// peakRSS returns the peak resident set of this process in bytes, or 0 if it is unknown. A child shares our
// memory until it calls exec, and Linux includes that: no child has a lower maximum than this process.
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

// resetPeakRSS makes peakRSS as low as possible. If that fails, results for small tools are less precise, but
// not wrong.
func resetPeakRSS() {
	debug.FreeOSMemory()
	dropProgram()
	_ = os.WriteFile("/proc/self/clear_refs", []byte("5"), 0)
}

// dropProgram releases the memory of the program itself, most of which was needed only at the start. Pages
// that are needed again are read from the file again, so only unmodified mappings may be released.
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
