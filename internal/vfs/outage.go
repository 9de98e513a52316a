package vfs

// An OutageError says that an outage of a volume, which is over, may have affected an open file: what was written to it
// may be lost, or the file itself. The file must be opened again and copied from the start.
type OutageError struct {
	Err  error
	Lost bool // the connection to the host was lost
}

func (e *OutageError) Error() string { return e.Err.Error() }

func (e *OutageError) Unwrap() error { return e.Err }
