package localfs

import (
	"cmp"
	"errors"
	"fmt"

	"golang.org/x/sys/unix"

	"psync/internal/sys"
	"psync/internal/vfs"
)

// Link takes no flag, so that the new name of a symbolic link is one of the link,
// not of its target. Its errors are about the name that was not made.
func (d *dir) Link(oldDir vfs.Dir, oldname, newname string) error {
	if err := cmp.Or(checkEntry("link", oldname), checkEntry("link", newname)); err != nil {
		return err
	}
	from, ok := vfs.As[*dir](oldDir)
	if !ok {
		return pathError("link", newname, errors.ErrUnsupported)
	}
	err := sys.IgnoringEINTR(func() error { return unix.Linkat(from.fd, oldname, d.fd, newname, 0) })
	if err == unix.EPERM {
		// So Linux says that FAT has no hard links. It is also the answer for a
		// file of somebody else under fs.protected_hardlinks, or an immutable one.
		return pathError("link", newname, marked(err))
	}
	return pathError("link", newname, apart(err))
}

// Move reports errors about the name that did not go.
func (d *dir) Move(oldname string, newDir vfs.Dir, newname string) error {
	if err := cmp.Or(checkEntry("move", oldname), checkEntry("move", newname)); err != nil {
		return err
	}
	to, ok := vfs.As[*dir](newDir)
	if !ok {
		return pathError("move", oldname, errors.ErrUnsupported)
	}
	err := sys.IgnoringEINTR(func() error { return unix.Renameat(d.fd, oldname, to.fd, newname) })
	return pathError("move", oldname, apart(err))
}

// apart marks the answers to an operation on two names that the one file system,
// or the pair of two, cannot do it.
func apart(err error) error {
	if err == unix.EXDEV || errors.Is(err, errors.ErrUnsupported) {
		return marked(err)
	}
	return err
}

// marked adds that an operation is unsupported to the error that says so.
func marked(err error) error { return fmt.Errorf("%w: %w", errors.ErrUnsupported, err) }
