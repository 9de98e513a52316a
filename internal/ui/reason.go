package ui

import (
	"errors"
	"io/fs"
	"os"
	"strings"
)

// reason returns the text of err on one line and without the path, which the output line already names. Joined
// errors are separated by semicolons.
func reason(err error) string {
	return Escape(Describe(err))
}

// cause returns why a system call failed, without the name of the call: the line already says what failed.
func cause(err error) string {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return reason(e.Err)
	}
	if e, ok := errors.AsType[*os.LinkError](err); ok {
		return reason(e.Err)
	}
	return reason(err)
}

// Describe returns the text of err without the path.
func Describe(err error) string {
	switch e := err.(type) {
	case nil:
		return "unknown error"
	case *fs.PathError:
		return e.Op + ": " + Describe(e.Err)
	case *os.LinkError:
		return e.Op + ": " + Describe(e.Err)
	case interface{ Unwrap() []error }:
		if isJoin(err, e.Unwrap()) {
			return each(e.Unwrap(), Describe, "; ")
		}
	}
	// The system's own message says more.
	return strings.TrimPrefix(err.Error(), errors.ErrUnsupported.Error()+": ")
}

// isJoin reports whether err consists only of its parts, like an error of errors.Join. An error with several %w
// has additional text.
func isJoin(err error, parts []error) bool {
	return err.Error() == each(parts, error.Error, "\n")
}

func each(errs []error, text func(error) string, sep string) string {
	texts := make([]string, len(errs))
	for i, err := range errs {
		texts[i] = text(err)
	}
	return strings.Join(texts, sep)
}
