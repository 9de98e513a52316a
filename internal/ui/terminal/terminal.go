// Package terminal asks the user on the terminal of the process, and knows whether streams are terminals.
package terminal

import (
	"os"

	"golang.org/x/term"
)

// Is reports whether stream is a terminal. stream may be a file or a value with a file descriptor.
func Is(stream any) bool {
	f, ok := stream.(interface{ Fd() uintptr })
	return ok && term.IsTerminal(int(f.Fd()))
}

// Size returns the current size of the terminal f.
func Size(f *os.File) (columns, rows int) {
	columns, rows, err := term.GetSize(int(f.Fd()))
	if err != nil || columns <= 0 {
		return 80, 0 // the terminal does not know its size, as on a serial line
	}
	return columns, rows
}
