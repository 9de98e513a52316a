package ui

import (
	"os"

	"golang.org/x/term"
)

// IsTerminal reports whether stream, which may be a file or know the descriptor of one,
// is a terminal.
func IsTerminal(stream any) bool {
	f, ok := stream.(interface{ Fd() uintptr })
	return ok && term.IsTerminal(int(f.Fd()))
}

// columns returns the width of the terminal f as it is now.
func columns(f *os.File) int {
	const usual = 80 // where the terminal does not know, as on a serial line
	n, _, err := term.GetSize(int(f.Fd()))
	if err != nil || n <= 0 {
		return usual
	}
	return n
}
