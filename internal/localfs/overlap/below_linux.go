package overlap

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// MountsBelow returns the paths below a directory on which something is mounted, relative to it and sorted. What the system
// mounts when it is first looked at is left out: autofs, and directories of a server of NFS that are volumes of their own. It
// returns nil if the mount table is not available.
func MountsBelow(dir string) []string {
	path, err := Resolve(dir)
	if err != nil {
		return nil
	}
	mounts, err := os.ReadFile("/proc/self/mountinfo")
	if err != nil {
		return nil
	}
	return below(string(mounts), path)
}

// A mount is what a line of proc_pid_mountinfo(5) says.
type mount struct{ id, parent, point, kind, source string }

// below finds the mounts below path, absolute and without symbolic links.
func below(mountinfo, path string) (points []string) {
	byID := make(map[string]mount)
	for line := range strings.Lines(mountinfo) {
		front, back, _ := strings.Cut(line, " - ")
		fields, kind := strings.Fields(front), strings.Fields(back)
		if len(fields) >= 5 && len(kind) >= 2 {
			byID[fields[0]] = mount{fields[0], fields[1], unescape(fields[4]), kind[0], unescape(kind[1])}
		}
	}
	for _, m := range byID {
		rel, err := filepath.Rel(path, m.point)
		if err != nil || m.point == path || !within(m.point, path) || m.isAutomatic(byID[m.parent]) {
			continue
		}
		points = append(points, rel)
	}
	slices.Sort(points)
	return slices.Compact(points)
}

// isAutomatic reports whether the system has made, or will make, a mount by itself.
func (m mount) isAutomatic(parent mount) bool {
	if m.kind == "autofs" || parent.kind == "autofs" {
		return true
	}
	rest, isBelow := strings.CutPrefix(m.point, strings.TrimSuffix(parent.point, "/"))
	return isBelow && strings.HasPrefix(m.kind, "nfs") && strings.HasPrefix(parent.kind, "nfs") &&
		m.source == strings.TrimSuffix(parent.source, "/")+rest
}
