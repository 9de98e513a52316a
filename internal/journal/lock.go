package journal

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// lock takes the lock of a journal for as long as it is open. Where a file system has no locks, it does without.
func lock(f *os.File, name string) error {
	err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	switch {
	case errors.Is(err, syscall.EWOULDBLOCK):
		return &LockedError{name}
	case err != nil && !errors.Is(err, errors.ErrUnsupported) && !errors.Is(err, syscall.ENOLCK):
		return &fs.PathError{Op: "flock", Path: name, Err: err}
	}
	return nil
}

// isLocked reports whether a process is at work for a journal.
func isLocked(f *os.File) bool {
	err := syscall.Flock(int(f.Fd()), syscall.LOCK_SH|syscall.LOCK_NB)
	if err == nil {
		_ = syscall.Flock(int(f.Fd()), syscall.LOCK_UN) // closing it does the same
	}
	return errors.Is(err, syscall.EWOULDBLOCK)
}
