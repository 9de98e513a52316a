package journal

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// lock locks a journal until it is closed. If the file system does not support locks, the journal stays
// unlocked.
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

// isLocked reports whether a process holds the lock of a journal.
func isLocked(f *os.File) bool {
	err := syscall.Flock(int(f.Fd()), syscall.LOCK_SH|syscall.LOCK_NB)
	if err == nil {
		_ = syscall.Flock(int(f.Fd()), syscall.LOCK_UN) // closing f does the same
	}
	return errors.Is(err, syscall.EWOULDBLOCK)
}
