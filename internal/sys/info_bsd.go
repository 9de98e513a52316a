//go:build darwin || freebsd

package sys

import (
	"os"
	"syscall"
)

// InfoSignals returns the signals by which a terminal requests a progress report: Ctrl-T sends one.
func InfoSignals() []os.Signal { return []os.Signal{syscall.SIGINFO} }
