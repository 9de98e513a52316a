package ui

import (
	"errors"
	"io/fs"
	"os"
	"strings"
)

// reason returns why something failed, on one line and without the path, which
// the line names already. Joined errors are separated by semicolons.
func reason(err error) string {
	return Escape(describe(err))
}

// cause returns why a system call failed, without naming the call: the line
// says what it was for.
func cause(err error) string {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return reason(e.Err)
	}
	if e, ok := errors.AsType[*os.LinkError](err); ok {
		return reason(e.Err)
	}
	return reason(err)
}

func describe(err error) string {
	switch e := err.(type) {
	case nil:
		return "unknown error"
	case *fs.PathError:
		return e.Op + ": " + describe(e.Err)
	case *os.LinkError:
		return e.Op + ": " + describe(e.Err)
	case interface{ Unwrap() []error }:
		if isJoin(err, e.Unwrap()) {
			return each(e.Unwrap(), describe, "; ")
		}
	}
	// What the system said about it says more.
	return strings.TrimPrefix(err.Error(), errors.ErrUnsupported.Error()+": ")
}

// isJoin reports whether err is no more than its parts, as the errors of
// errors.Join are: an error with several %w has words of its own.
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
