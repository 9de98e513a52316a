package survey

import (
	"errors"
	"sync"
	"syscall"

	"psync/internal/vfs"
)

// A memo remembers the results of trials. Its methods are safe for concurrent use.
type memo[K comparable, V any] struct {
	mu sync.Mutex // guards what follows, and is held by the trial that is made
	m  map[K]V
}

// maxRemembered bounds the size of a memo. Forgotten trials are repeated.
const maxRemembered = 50_000

// get returns the result for k. It calls try unless the result is remembered.
func (m *memo[K, V]) get(k K, try func() (V, error)) (V, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if v, ok := m.m[k]; ok {
		return v, nil
	}
	v, err := try()
	if err != nil {
		return v, err
	}
	if m.m == nil || len(m.m) >= maxRemembered {
		m.m = make(map[K]V)
	}
	m.m[k] = v
	return v, nil
}

// A limit is the largest number that a volume supports.
type limit struct {
	try func(n int64) (bool, error)

	mu    sync.Mutex // guards what follows, and is held by the trial that is made
	takes int64      // the largest number that was accepted
	least int64      // the smallest number that was refused, or 0
}

// allows reports whether n is accepted. It tries only numbers between those of earlier trials.
func (l *limit) allows(n int64) (bool, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if n <= l.takes || l.least > 0 && n >= l.least {
		return n <= l.takes, nil
	}
	ok, err := l.try(n)
	switch {
	case err != nil:
		return false, err
	case ok:
		l.takes = n
	default:
		l.least = n
	}
	return ok, nil
}

// isFatal reports whether an error prevents further trials, rather than being the result of one. EIO is not fatal,
// because some FUSE servers return it for mknod(2).
func isFatal(err error) bool {
	for _, errno := range []error{
		syscall.ENOSPC, syscall.EDQUOT, syscall.EROFS, syscall.ESTALE, syscall.ENOTCONN, syscall.ETIMEDOUT,
		syscall.EHOSTDOWN, syscall.ECONNRESET, syscall.EMFILE, syscall.ENFILE, syscall.ENOMEM,
	} {
		if errors.Is(err, errno) {
			return true
		}
	}
	return false
}

// refused splits the error of a trial into a refusal by the volume and a fatal error.
func refused(err error) (refusal, fatal error) {
	if err != nil && isFatal(err) {
		return nil, err
	}
	return err, nil
}

// makeFile makes an empty file.
func makeFile(dir vfs.Dir, name string) error {
	f, err := dir.OpenFile(name, vfs.Create, 0o600)
	if err != nil {
		return err
	}
	return f.Close()
}
