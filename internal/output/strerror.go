package output

import (
	"errors"
	"syscall"
	"unicode"
	"unicode/utf8"
)

// Strerror returns the C library's text for the error number in err. The text of Go differs from it in the case
// of the first letter.
func Strerror(err error) string {
	errno, ok := errors.AsType[syscall.Errno](err)
	if !ok {
		return err.Error()
	}
	text := errno.Error()
	first, n := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(first)) + text[n:]
}
