//go:build darwin || freebsd

package sys

import (
	"time"

	"golang.org/x/sys/unix"
)

// ProcessNamespace identifies the PID namespace of the process, within this boot of the system.
func ProcessNamespace() string { return "" }

// BootTime returns when the system was booted, according to the current clock, or the zero time if that is
// unknown.
func BootTime() time.Time {
	tv, err := unix.SysctlTimeval("kern.boottime")
	if err != nil {
		return time.Time{}
	}
	return time.Unix(tv.Unix())
}

// firstSysctl returns the first of these values that the system has, or "".
func firstSysctl(names ...string) string {
	for _, name := range names {
		if v, err := unix.Sysctl(name); err == nil && v != "" {
			return v
		}
	}
	return ""
}
