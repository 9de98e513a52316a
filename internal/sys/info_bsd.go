//go:build darwin || freebsd

package sys

import (
	"os"
	"syscall"
)

// InfoSignals are those by which a terminal asks how far a program is: Ctrl-T sends one.
func InfoSignals() []os.Signal { return []os.Signal{syscall.SIGINFO} }
