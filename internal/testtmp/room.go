package testtmp

import (
	"fmt"
	"os"
	"slices"
	"strings"
)

// wanted is how many bytes there must be room for: nine times as many as the tests of all packages together were seen to use.
const wanted = 4 << 30

// roomy reports whether dir is a tmpfs that has room, by what Linux says of itself. Elsewhere, it is not.
func roomy(dir string) bool {
	mounts, err := os.ReadFile("/proc/self/mounts")
	if err != nil {
		return false
	}
	memory, err := os.ReadFile("/proc/meminfo")
	return err == nil && holdsPrograms(dir, string(mounts), number(string(memory), "MemTotal: %d kB")/2) &&
		number(string(memory), "MemAvailable: %d kB") >= wanted>>10
}

// holdsPrograms reports whether dir, by /proc/self/mounts, is a tmpfs that programs can be started from, and whose limit,
// which is standard KiB if mounts has none, is high enough.
func holdsPrograms(dir, mounts string, standard uint64) bool {
	holds := false
	for line := range strings.Lines(mounts) {
		fields := strings.Fields(line) // see fstab(5)
		if len(fields) < 4 || fields[1] != dir {
			continue
		}
		options := strings.Split(fields[3], ",")
		size := number(strings.Join(options, "\n"), "size=%dk")
		if size == 0 {
			size = standard
		}
		holds = fields[2] == "tmpfs" && !slices.Contains(options, "noexec") && !slices.Contains(options, "ro") &&
			size >= wanted>>10 // the last one mounted hides the others
	}
	return holds
}

// number returns the number in the first line of text that has a format, and 0 if none has.
func number(text, format string) uint64 {
	for line := range strings.Lines(text) {
		var n uint64
		if _, err := fmt.Sscanf(line, format, &n); err == nil {
			return n
		}
	}
	return 0
}
