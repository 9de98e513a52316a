//go:build darwin || freebsd

package sys

import (
	"time"

	"golang.org/x/sys/unix"
)

// ProcessNamespace identifies the space in which process numbers have a meaning, within this boot
// of the system.
func ProcessNamespace() string { return "" }

// BootTime returns when the system was booted, by the clock as it goes now, or zero.
func BootTime() time.Time {
	tv, err := unix.SysctlTimeval("kern.boottime")
	if err != nil {
		return time.Time{}
	}
	return time.Unix(tv.Unix())
}

// firstSysctl returns the first of some values that the system has, or "".
func firstSysctl(names ...string) string {
	for _, name := range names {
		if v, err := unix.Sysctl(name); err == nil && v != "" {
			return v
		}
	}
	return ""
}
