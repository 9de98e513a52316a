package output

import (
	"errors"
	"syscall"
	"unicode"
	"unicode/utf8"
)

// Strerror returns the text of the C library for the error number in err, which that of Go differs from by the case of
// its first letter.
func Strerror(err error) string {
	var errno syscall.Errno
	if !errors.As(err, &errno) {
		return err.Error()
	}
	text := errno.Error()
	first, n := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(first)) + text[n:]
}
