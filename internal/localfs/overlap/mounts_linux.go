package overlap

import (
	"os"
	"path/filepath"
	"strings"
)

// placeOf finds the place of a directory in the mount table. It reports
// false if that is not available.
func placeOf(dir string) (place, bool) {
	path, err := Resolve(dir)
	if err != nil {
		return place{}, false
	}
	mounts, err := os.ReadFile("/proc/self/mountinfo")
	if err != nil {
		return place{}, false
	}
	return locate(string(mounts), path)
}

// locate finds the mount that path, absolute and without symbolic links, is on. Of
// several with the longest mount point, it returns the last, which hides the others.
// The fields are those of proc_pid_mountinfo(5).
func locate(mountinfo, path string) (p place, ok bool) {
	longest := -1
	for line := range strings.Lines(mountinfo) {
		fields := strings.Fields(line)
		if len(fields) < 5 {
			continue
		}
		volume, root, point := fields[2], unescape(fields[3]), unescape(fields[4])
		if len(point) < longest || !within(path, point) {
			continue
		}
		longest = len(point)
		rest := strings.TrimPrefix(path, strings.TrimSuffix(point, "/"))
		p, ok = place{volume, filepath.Join(root, rest)}, true
	}
	return p, ok
}

// unescape decodes the kernel's escapes of white space and backslashes in mountinfo.
func unescape(field string) string {
	if !strings.Contains(field, `\`) {
		return field
	}
	return strings.NewReplacer(`\040`, " ", `\011`, "\t", `\012`, "\n", `\134`, `\`).Replace(field)
}
