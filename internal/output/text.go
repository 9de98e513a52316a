package output

import (
	"fmt"

	"psync/internal/quote"
)

// Text that is not a name, or a name that is not quoted in the usual way.
type (
	Plain   string // is not quoted
	Word    string // is quoted, but not for a shell
	Leading string // begins a message, and is quoted if necessary
)

// Text formats a message. Strings and values with a String method are names, which are quoted for a shell.
func (s *Segment) Text(format string, args ...any) string {
	utf8 := s.output.UTF8
	for i, arg := range args {
		switch arg := arg.(type) {
		case string:
			args[i] = quote.Name(arg, utf8)
		case fmt.Stringer:
			args[i] = quote.Name(arg.String(), utf8)
		case Word:
			args[i] = quote.Word(string(arg), utf8)
		case Leading:
			args[i] = quote.Maybe(string(arg), utf8)
		}
	}
	return fmt.Sprintf(format, args...)
}
