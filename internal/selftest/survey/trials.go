package survey

import (
	"errors"
	"sync"
	"syscall"

	"psync/internal/metadata"
	"psync/internal/selftest/check"
	"psync/internal/vfs"
)

// trials are what is tried in the destination, and what came of it.
type trials struct {
	dir     vfs.Dir
	profile *metadata.Profile
	user    vfs.User
	keep    metadata.Keep

	names      *names
	times      *times
	attributes memo[attrKey, attrResult]
	attributed int // trials so far
	entries    memo[entryKey, error]
	links      memo[entryKey, error]
	targets    memo[string, bool] // of symbolic links, that not every volume takes
	lengths    limit              // of targets
	sizes      limit              // sizes of files
	keepsHoles bool
	blockSize  int64
}

// newTrials returns trials in the directory of t.
func newTrials(t *check.T) (tr *trials, err error) {
	tr = &trials{dir: t.Dir, profile: t.Profile, user: t.User, keep: archive(t.Profile), blockSize: usualBlock}
	tr.lengths.try, tr.sizes.try = tr.keepsLength, tr.keepsSize
	if tr.names, err = newNames(t.Dir); err != nil {
		return nil, err
	}
	if tr.times, err = newTimes(t.Dir); err != nil {
		return nil, errors.Join(err, tr.names.dir.Close())
	}
	tr.keepsHoles, err = tr.tryHole()
	return tr, err
}

func (tr *trials) close() { tr.names.dir.Close() }

// A memo remembers what came of trials, by what was tried. Its methods are safe for concurrent use.
type memo[K comparable, V any] struct {
	mu sync.Mutex // guards what follows, and is held by the trial that is made
	m  map[K]V
}

// mostRemembered bounds the memory of a memo. What is forgotten is tried once more.
const mostRemembered = 50_000

// get returns the result for k, by calling try unless it is remembered.
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
	if m.m == nil || len(m.m) >= mostRemembered {
		m.m = make(map[K]V)
	}
	m.m[k] = v
	return v, nil
}

// A limit is the largest number that a volume takes of something.
type limit struct {
	try func(n int64) (bool, error)

	mu    sync.Mutex // guards what follows, and is held by the trial that is made
	takes int64      // the largest number that was taken
	least int64      // the smallest number that was refused, or 0
}

// allows reports whether n is taken. Only numbers between those that were tried before are tried.
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

// isTrouble reports whether an error says that nothing more can be tried, rather than that one thing is refused. EIO is
// what some servers of FUSE answer to mknod(2).
func isTrouble(err error) bool {
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

// refused splits the error of a trial into what the volume says to what was tried, and trouble.
func refused(err error) (refusal, trouble error) {
	if err != nil && isTrouble(err) {
		return nil, err
	}
	return err, nil
}

// makeFile makes an empty file.
func makeFile(dir vfs.Dir, name string) error {
	f, err := dir.Create(name, 0o600)
	if err != nil {
		return err
	}
	return f.Close()
}

// usualBlock is the size of a block where a volume does not tell it.
const usualBlock = 4096
