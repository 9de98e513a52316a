//go:build darwin || freebsd

package trusted

import (
	"golang.org/x/sys/unix"

	"psync/internal/localfs/stat"
	"psync/internal/sys"
)

// readLink reads a symbolic link, or returns EINVAL if the entry is something else. A link cannot be opened here, so
// its attributes are read before and after: a link that replaces it in between has another identity or change time.
func readLink(at int, name string) (symlink, error) {
	for {
		var before, after unix.Stat_t
		if err := sys.Lstatat(at, name, &before); err != nil {
			return symlink{}, err
		}
		if before.Mode&unix.S_IFMT != unix.S_IFLNK {
			return symlink{}, unix.EINVAL
		}
		target, err := sys.Readlinkat(at, name)
		if err != nil {
			return symlink{}, err
		}
		if err := sys.Lstatat(at, name, &after); err != nil {
			return symlink{}, err
		}
		if before.Dev == after.Dev && before.Ino == after.Ino && before.Ctim == after.Ctim {
			return symlink{attr: stat.Attr(&after), target: target}, nil
		}
	}
}
