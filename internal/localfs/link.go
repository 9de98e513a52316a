package localfs

import (
	"cmp"
	"errors"
	"fmt"

	"golang.org/x/sys/unix"

	"psync/internal/sys"
	"psync/internal/vfs"
)

// Link passes no flag to linkat(2), so the new name of a symbolic link refers to the link,
// not to its target. Its errors have newname as their path.
func (d *dir) Link(oldDir vfs.Dir, oldname, newname string) error {
	if err := cmp.Or(checkEntry("link", oldname), checkEntry("link", newname)); err != nil {
		return err
	}
	from, ok := vfs.As[*dir](oldDir)
	if !ok {
		return vfs.PathError("link", newname, errors.ErrUnsupported)
	}
	err := sys.IgnoringEINTR(func() error { return unix.Linkat(from.fd, oldname, d.fd, newname, 0) })
	if err == unix.EPERM {
		// Linux returns this on FAT, which has no hard links. It is also the error for a
		// file of another user under fs.protected_hardlinks, or an immutable file.
		return vfs.PathError("link", newname, marked(err))
	}
	return vfs.PathError("link", newname, apart(err))
}

// Rename implements [vfs.Dir]. No system call replaces a name only if it refers to a given entry. Errors have oldname as
// their path, unless they are about newname.
func (d *dir) Rename(oldname string, newDir vfs.Dir, newname string, only *vfs.Premise) error {
	op, to := "rename", d
	if newDir != nil {
		var ok bool
		if to, ok = vfs.As[*dir](newDir); !ok {
			return vfs.PathError("move", oldname, errors.ErrUnsupported)
		}
	}
	if to != d {
		op = "move"
	}
	if err := cmp.Or(checkEntry(op, oldname), checkEntry(op, newname)); err != nil {
		return err
	}
	if err := vfs.CheckReplaced(to, newname, only); err != nil {
		return err
	}
	err := sys.IgnoringEINTR(func() error { return unix.Renameat(d.fd, oldname, to.fd, newname) })
	if to != d {
		err = apart(err)
	}
	return vfs.PathError(op, oldname, err)
}

// apart marks the errors of an operation on two names that say that the file system,
// or the pair of file systems, does not support it.
func apart(err error) error {
	if err == unix.EXDEV || errors.Is(err, errors.ErrUnsupported) {
		return marked(err)
	}
	return err
}

// marked makes an error that says that an operation is unsupported match errors.ErrUnsupported.
func marked(err error) error { return fmt.Errorf("%w: %w", errors.ErrUnsupported, err) }
