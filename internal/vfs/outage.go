package vfs

import "errors"

// An OutageError says that an outage of a volume, which is over, may have affected an open file: what was written to it
// may be lost, or the file itself. The file must be opened again and copied from the start.
type OutageError struct {
	Err  error
	Lost bool // the connection to the host was lost
}

func (e *OutageError) Error() string { return e.Err.Error() }

func (e *OutageError) Unwrap() error { return e.Err }

// maxOutages and maxLosses are how many outages of a volume, or losses of a connection, may occur while a file is copied or
// compared.
const maxOutages, maxLosses = 5, 30

// StartsAgain reports whether an error means that a file must be copied or compared again from the start, which n attempts
// before have done again.
func StartsAgain(n int, err error) bool {
	outage, ok := errors.AsType[*OutageError](err)
	return ok && (n < maxOutages || outage.Lost && n < maxLosses)
}
