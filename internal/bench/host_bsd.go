//go:build darwin || freebsd

package bench

import (
	"strings"
	"syscall"
)

// memoryDir returns the directory for files in memory; there is none.
func memoryDir() (dir string, ok bool) { return "", false }

// system names the operating system and its version.
func system() string {
	name, _ := syscall.Sysctl("kern.ostype")
	release, _ := syscall.Sysctl("kern.osrelease")
	return strings.TrimSpace(name + " " + release)
}

// peakRSS returns 0: on this system, the maximum of a child does not include its parent.
func peakRSS() int64 { return 0 }

func resetPeakRSS() {}
