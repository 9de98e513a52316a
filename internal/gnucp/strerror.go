package gnucp

import (
	"errors"
	"syscall"
	"unicode"
	"unicode/utf8"
)

const (
	errExist  = syscall.EEXIST
	errInval  = syscall.EINVAL
	errIsDir  = syscall.EISDIR
	errLoop   = syscall.ELOOP
	errNoent  = syscall.ENOENT
	errNotDir = syscall.ENOTDIR
	errPerm   = syscall.EPERM
)

// Strerror returns the text that cp has for err.
func Strerror(err error) string { return strerror(err) }

// strerror returns the text of the C library for the number in err. That of Go differs
// from it by the case of the first letter.
func strerror(err error) string {
	var errno syscall.Errno
	if !errors.As(err, &errno) {
		return err.Error()
	}
	text := errno.Error()
	first, n := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(first)) + text[n:]
}

// number returns the number of the system in err, or 0.
func number(err error) syscall.Errno {
	var errno syscall.Errno
	errors.As(err, &errno)
	return errno
}
