package ui

import (
	"os"

	"golang.org/x/term"
)

// IsTerminal reports whether stream is a terminal. stream may be a file or a value with a file descriptor.
func IsTerminal(stream any) bool {
	f, ok := stream.(interface{ Fd() uintptr })
	return ok && term.IsTerminal(int(f.Fd()))
}

// columns returns the current width of the terminal f.
func columns(f *os.File) int {
	const usual = 80 // used if the terminal does not know its width, as on a serial line
	n, _, err := term.GetSize(int(f.Fd()))
	if err != nil || n <= 0 {
		return usual
	}
	return n
}
