package sys

import "golang.org/x/sys/unix"

// MaxOpenFiles returns how many files the process may have open. The Go runtime has already raised the soft
// limit to the hard one.
func MaxOpenFiles() (int, error) {
	var r unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &r); err != nil {
		return 0, err
	}
	return int(min(uint64(r.Cur), 1<<30)), nil
}
