package vfs

import "fmt"

// A LostError says that the connection to a host, or a volume, is lost: nothing more can be done with its files.
type LostError struct {
	Host string
	Err  error // why
	// Final says that the host was given up, so there is no use in connecting again.
	Final bool
}

func (e *LostError) Error() string {
	return fmt.Sprintf("%s: the connection is lost: %v", e.Host, e.Err)
}

func (e *LostError) Unwrap() error { return e.Err }
