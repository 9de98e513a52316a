package entry

import (
	"errors"
	"io/fs"
	"syscall"

	"psync/internal/vfs"
)

// LeadsInto reports whether path is a symbolic link to an entry of a directory, or a dangling link: the missing
// entry may still be made there.
func LeadsInto(host vfs.Host, path string, dir vfs.ID) bool {
	if attr, err := host.Stat(path, vfs.NoFollow); err != nil || attr.Mode.Type() != fs.ModeSymlink {
		return false
	}
	target, err := host.Resolve(path)
	return err != nil || IsBelow(host, DirName(target), dir)
}

// IsBelow reports whether dir is the directory other, or below it. If stat(2) of a directory fails, IsBelow
// returns true, unless the directory is missing or closed to the user.
func IsBelow(host vfs.Host, dir string, other vfs.ID) bool {
	for {
		attr, err := host.Stat(dir, vfs.Follow)
		if err != nil {
			return mayExist(err)
		}
		if attr.ID() == other {
			return true
		}
		dir += "/.."
		above, err := host.Stat(dir, vfs.Follow)
		if err != nil {
			return mayExist(err)
		}
		if above.ID() == attr.ID() {
			return false
		}
	}
}

// mayExist reports whether, in spite of err, there may be a directory that the user can enter.
func mayExist(err error) bool {
	return !errors.Is(err, syscall.ENOENT) && !errors.Is(err, syscall.ENOTDIR) && !errors.Is(err, syscall.EACCES)
}
